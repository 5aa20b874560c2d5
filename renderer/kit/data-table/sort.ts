/** Returns the field and the direction of a value of the parameter `sort`. */
export const sortOf = (sort: string): { field: string; isDescending: boolean } =>
  sort.startsWith('-') ? { field: sort.slice(1), isDescending: true } : { field: sort, isDescending: false };

/** Returns the order of the grid for a value of the parameter `sort`. */
export function modelOf(sort: string): { field: string; sort: 'asc' | 'desc' } {
  const { field, isDescending } = sortOf(sort);
  return { field, sort: isDescending ? 'desc' : 'asc' };
}

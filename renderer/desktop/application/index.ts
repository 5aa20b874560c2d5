export { ApplicationOptions } from './application-options.tsx';
export { UpdateLine } from './update-line.tsx';

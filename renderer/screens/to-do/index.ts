export { ToDoScreen } from './to-do-screen.tsx';

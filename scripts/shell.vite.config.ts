// The parts of the desktop application without its pages, which `buildPagesWhenStale` builds for it and for the service.
import { defineConfig } from 'electron-vite';
import desktop from '../electron.vite.config.ts';

const { main, preload } = desktop as { main: object; preload: object };

export default defineConfig({ main, preload });

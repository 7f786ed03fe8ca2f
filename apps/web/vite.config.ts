import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'
import { preloadStart } from './preload-start.ts'
import { firstShownAreEntries, scriptGroups } from './script-groups.ts'
import { serviceWorker } from './service-worker-build.ts'

// The service sends `default-src 'self'` with the page: nothing may be inlined as a script, and every asset is a file
// of our own whose name carries its hash, so that it may be cached for ever.
export default defineConfig({
  plugins: [react(), preloadStart(), firstShownAreEntries(), serviceWorker(), precompress()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: scriptGroups } },
  },
  // `vite dev` beside a running service: what is not the page itself goes there, under its own name as the origin.
  server: {
    proxy: Object.fromEntries(
      ['/app/v1', '/public/v1', '/livez', '/readyz', '/docs'].map((path) => [
        path,
        {
          target: process.env.PRINTYARD_URL ?? 'http://127.0.0.1:8080',
          changeOrigin: true,
          headers: { origin: process.env.PRINTYARD_URL ?? 'http://127.0.0.1:8080' },
        },
      ]),
    ),
  },
})

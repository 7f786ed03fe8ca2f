import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The service sends `default-src 'self'` with the page: nothing may be inlined as a script, and every asset is a file
// of our own whose name carries its hash, so that it may be cached for ever.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})

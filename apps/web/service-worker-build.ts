import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('src/worker/service-worker.ts', import.meta.url))
const place = 'PRINTYARD_SHELL'

/** Files of `public/` that the shell shows. */
const shownFiles = ['/favicon.svg', '/icons/icon-192.png']

/**
 * Builds the service worker to `/sw.js`, outside of the hashed assets because its address must stay, and writes into it which
 * files make up this build.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      this.emitFile({ type: 'chunk', id: source, fileName: 'sw.js' })
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle['sw.js']
        const page = bundle['index.html']
        if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error('the build has no worker or no page')
        if (worker.imports.length > 0) throw new Error(`the worker imports ${worker.imports.join(', ')}`)
        const text = String(page.source)
        const [, entry] = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(text) ?? []
        if (entry === undefined) throw new Error('the page names no script')
        const assets = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
        const files = [...assets.map((name) => `/${name}`).sort(), ...shownFiles]
        const hash = createHash('sha256')
          .update(JSON.stringify([text, files]))
          .digest('hex')
          .slice(0, 16)
        const shell = JSON.stringify({ cache: `printyard-shell-${hash}`, entry, files })
        if (!worker.code.includes(place)) throw new Error(`the worker has no ${place}`)
        worker.code = worker.code.replaceAll(place, () => shell)
      },
    },
  }
}

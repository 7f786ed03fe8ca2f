import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const main = fileURLToPath(new URL('src/app/main.tsx', import.meta.url))
const start = fileURLToPath(new URL('src/app/start.tsx', import.meta.url))
const importOfStart = "import('./start.tsx')"

/**
 * The page's script waits for the language before it imports the dashboard (`src/app/main.tsx`). The links that this writes into
 * the page let the browser fetch the dashboard's scripts and styles meanwhile, as if nothing were waited for.
 *
 * The dashboard is an entry of the build in its own right: what an entry has loaded is kept in one script with it. Behind a
 * dynamic import it would be cut into dozens, 10 KB more after compression, of which none is ever fetched without the others.
 */
export function preloadStart(): Plugin {
  let reference = ''
  return {
    name: 'preload-start',
    apply: 'build',
    buildStart() {
      reference = this.emitFile({ type: 'chunk', id: start, name: 'start' })
    },
    transform: {
      order: 'pre',
      filter: { id: main },
      handler(code) {
        if (!code.includes(importOfStart)) throw new Error(`${main} has no ${importOfStart}`)
        return code.replace(importOfStart, `import(import.meta.ROLLUP_FILE_URL_${reference})`)
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
        const first = chunks.find(({ facadeModuleId }) => facadeModuleId === start)
        if (!first) throw new Error('the build has no src/app/start.tsx')
        const fetched = new Set([first])
        for (const { imports } of fetched) {
          for (const chunk of chunks) if (imports.includes(chunk.fileName)) fetched.add(chunk)
        }
        const styles = new Set([...fetched].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
        const link = (rel: string, name: string) =>
          ({ tag: 'link', attrs: { rel, crossorigin: '', href: `/${name}` }, injectTo: 'head' }) as const
        return [
          ...[...fetched].map(({ fileName }) => link('modulepreload', fileName)),
          ...[...styles].map((name) => link('stylesheet', name)),
        ]
      },
    },
  }
}

import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { firstShown } from './script-groups.ts'

const main = fileURLToPath(new URL('src/app/main.tsx', import.meta.url))
const start = fileURLToPath(new URL('src/app/start.tsx', import.meta.url))
const importOfStart = "import('./start.tsx')"

/**
 * The page's script waits for the language before it imports the dashboard (`src/app/main.tsx`). The links that this writes into
 * the page let the browser fetch the dashboard's scripts and styles meanwhile, as if nothing were waited for: also those of the first page,
 * which would else be asked for when the session is known, one way to the service and back later.
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
        const fetched = new Set<(typeof chunks)[number]>()
        // In the order in which they would be loaded, which is that of their styles: what the parts of the first page say comes last.
        for (const file of [start, ...Object.values(firstShown)]) {
          const first = chunks.find(({ facadeModuleId }) => facadeModuleId === file)
          if (!first) throw new Error(`the build has no script of ${file}`)
          fetched.add(first)
          for (const { imports } of fetched) {
            for (const chunk of chunks) if (imports.includes(chunk.fileName)) fetched.add(chunk)
          }
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

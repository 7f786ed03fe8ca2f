import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

const app = fileURLToPath(new URL('src/app/', import.meta.url))
const main = `${app}main.tsx`

/** With `start.tsx`, what a member's browser fetches before the overview is drawn. The links of `preload-start.ts` name it, too. */
export const firstShown = {
  'member-layout': `${app}shell/member-layout.tsx`,
  shell: `${app}shell/shell.tsx`,
  'overview-page': `${app}routes/overview/overview-page.tsx`,
}

/**
 * Makes the parts of the first page entries of the build, as `preload-start.ts` makes the dashboard one: the tag `$initial` below
 * stands for what entries import. They are fetched when they are shown as before.
 */
export function firstShownAreEntries(): Plugin {
  return {
    name: 'first-shown-are-entries',
    apply: 'build',
    buildStart() {
      for (const [name, id] of Object.entries(firstShown)) this.emitFile({ type: 'chunk', id, name })
    },
  }
}

/** Scripts, of pages and of dialogs alike, that must share a module before all fetch it in `common`. */
const commonShares = 6

/**
 * Which modules travel together. Left to itself the build makes a script of each set of modules that the same pages share: hundreds,
 * of which a page asks for a hundred, six at a time. What few pages share stays so, and what one alone needs stays in its own.
 *
 * The modules that a captured one imports are not captured with it: through the index files of packages that would be far more than
 * is used. No group needs it, because none imports from a later one, so scripts never import each other in a circle.
 *
 * `start` names the scripts of all pages, and nothing imports it. So a change of one page renames its own script, `start` and the
 * script of `index.html`, and no group. What is the first page's only is in `packages` and `base` too, because the build counts no page that
 * `start` opens as one that shares what `start` has: common scripts would import `start`.
 */
export const scriptGroups: NonNullable<Rolldown.OutputOptions['codeSplitting']> = {
  includeDependenciesRecursively: false,
  groups: [
    // Runs before all others, which read their texts as they are loaded: none of them may be in it.
    {
      name: (id, graph) => (isImportedBy(main, id, graph) ? 'language' : null),
      debugName: 'language',
      priority: 4,
      test: (id) => id !== main && !id.endsWith('.html'),
    },
    // Changes with the releases of packages, and with what is used of them.
    { name: 'packages', priority: 3, tags: ['$initial'], test: /[\\/]node_modules[\\/]/ },
    {
      name: 'base',
      priority: 2,
      tags: ['$initial'],
      test: /[\\/](src[\\/](features|lib|ui)|packages[\\/]\w+[\\/]src)[\\/]/,
    },
    { name: 'app', priority: 1, tags: ['$initial'], minShareCount: 2 },
    { name: 'common', priority: 0, minShareCount: commonShares },
  ],
}

/** Whether an import, or imports of what it imports, lead from one module to another. */
function isImportedBy(from: string, id: string, graph: Rolldown.ChunkingContext): boolean {
  const reached = new Set([from])
  for (const each of reached) {
    if (each === id) return true
    for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) reached.add(imported)
  }
  return false
}

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './node24.mjs'

/** Whose exports must have a user in another file. */
const checked = ['packages', 'apps', 'bench', 'e2e']

/** What callers outside the repository may import: `print-files` is usable alone, tests of the SDKs build their packages, and the documentation names its methods. */
const published = new Set([
  ...['print-file', 'layer-index'].map((name) => `packages/print-files/src/${name}.ts`),
  'packages/sdk/generator/build-package.ts',
  'packages/sdk/generator/build-python-package.ts',
  'packages/sdk/generator/list-methods.ts',
])

const workspaces = {
  printyard: 'apps/cli',
  '@printyard/hub': 'apps/hub',
  '@printyard/server': 'apps/server',
  '@printyard/web': 'apps/web',
  '@printyard/mcp': 'packages/mcp',
  '@printyard/print-files': 'packages/print-files',
  '@printyard/protocol': 'packages/protocol',
  '@printyard/sdk': 'packages/sdk',
  '@printyard/virtual-printers': 'packages/virtual-printers',
}

test('what is exported is used in another file', () => {
  const sources = readSources()
  expect(sources.size).toBeGreaterThan(500)
  expect(unusedExports(sources)).toEqual([])
})

test('an export is used by a file that imports its file and names it, not by one that only names it', () => {
  const sources = new Map([
    ['packages/a/src/one.ts', 'export const used = 1\nexport function unused() {}\nexport interface Shape {}'],
    ['packages/a/src/two.ts', "import { used } from './one.ts'\nconsole.log(used)"],
    ['packages/a/src/three.ts', "const unused = 2\nimport type { Shape } from './other.ts'"],
  ])
  expect(unusedExports(sources)).toEqual(['packages/a/src/one.ts: unused', 'packages/a/src/one.ts: Shape'])
})

function readSources(): Map<string, string> {
  const patterns = ['{apps,packages,bench,e2e,scripts}/**/*.{ts,tsx,mjs}', 'vitest.config.ts']
  const exclude = ['**/node_modules/**', '**/dist/**', '**/fixtures/**']
  const files = globSync(patterns, { cwd: projectRoot, exclude })
  return new Map(files.map((file) => [normalize(file), readFileSync(join(projectRoot, file), 'utf8')]))
}

function unusedExports(sources: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, string[]>()
  for (const [file, text] of sources) {
    for (const target of importedFiles(file, text)) {
      const known = importers.get(target)
      if (known) known.push(text)
      else importers.set(target, [text])
    }
  }
  return [...sources].flatMap(([file, text]) => {
    const isChecked = checked.some((folder) => file.startsWith(`${folder}/`)) && !published.has(file)
    // What is generated is whole, used or not; the text that a generator prints looks like exports of its own.
    if (!isChecked || /\.test\.|\/generate-|\.generated\./.test(file)) return []
    const users = importers.get(file) ?? []
    const names = exportedNames(text).filter((name) => !users.some((user) => new RegExp(`\\b${name}\\b`).test(user)))
    return names.map((name) => `${file}: ${name}`)
  })
}

function exportedNames(text: string): string[] {
  const declarations = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm
  return [...text.matchAll(declarations)].map(([, name]) => name ?? '')
}

function importedFiles(file: string, text: string): string[] {
  return [...text.matchAll(/'(\.{1,2}\/[^'\s]+|(?:@printyard\/[a-z-]+|printyard)\/[^'\s]+)'/g)].map(([, name = '']) => {
    if (name.startsWith('.')) return normalize(join(dirname(file), name))
    const [workspace = '', folder = ''] = Object.entries(workspaces).find(([each]) => name.startsWith(`${each}/`)) ?? []
    return `${folder}/src/${name.slice(workspace.length + 1)}.ts`
  })
}

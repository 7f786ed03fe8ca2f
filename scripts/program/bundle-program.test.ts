import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { bundleProgram } from './bundle-program.mjs'

const folders: string[] = []
const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-bundle-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function makeProject(files: Record<string, string>): string {
  const root = temporaryFolder()
  const lock = { packages: { 'packages/shared': { name: '@own/shared' }, 'apps/tool': { name: 'tool' } } }
  for (const [name, content] of Object.entries({ ...files, 'package-lock.json': JSON.stringify(lock) })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

const isAscii = (text: string) => [...text].every((character) => character < '\u0080')

const project = {
  'apps/tool/package.json': '{ "version": "1.2.3" }',
  'apps/tool/notes.txt': 'what lies beside the sources',
  'apps/tool/src/main.ts': `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import type { Thing } from 'types-only'
import { Library, type Kind } from '@vendor/library/part'
import { Shared } from '@own/shared/deep/shared'
import packageJson from '../package.json' with { type: 'json' }
const kind: 'a.ts' | undefined = undefined as Kind
const program = join(import.meta.dirname, 'process.ts')
const later = async (): Promise<Thing> => (await import('./later.ts')).thing
console.log(JSON.stringify({
  library: Library,
  version: packageJson.version,
  notes: readFileSync(new URL('../notes.txt', import.meta.url), 'utf8'),
  className: Shared.name,
  later: await later(),
  process: execFileSync(process.execPath, [program], { encoding: 'utf8' }),
}))
`,
  'apps/tool/src/process.ts':
    "import { Shared } from '@own/shared/deep/shared'\nprocess.stdout.write(Shared.name + ' – ✓')\n",
  'apps/tool/src/later.ts': "class Shared {}\nexport const thing = ['no-such-file.ts', Shared.name, /…/.test('…')]\n",
  'apps/tool/src/main.test.ts': 'export {}\n',
  'packages/shared/src/deep/shared.ts': "export { Other as Shared } from '../other.ts'\n",
  'packages/shared/src/other.ts': 'export class Other {\n  one = 1 satisfies number\n}\n',
}

test('a program is what its entry reaches, and does from its few files what its sources do', async () => {
  const root = makeProject(project)
  const target = temporaryFolder()
  const { files, packages } = await bundleProgram(root, 'apps/tool/src/main.ts', target)
  expect(files).toEqual([
    'apps/tool/package.json',
    'apps/tool/src/later.ts',
    'apps/tool/src/main.ts',
    'apps/tool/src/process.ts',
    'packages/shared/src/deep/shared.ts',
    'packages/shared/src/other.ts',
  ])
  expect(packages).toEqual(new Map([['@vendor/library', 'apps/tool/src/main.ts']]))

  const folder = join(target, 'apps/cli/dist')
  const names = readdirSync(folder)
  expect(names).toEqual(expect.arrayContaining(['main.js', 'process.js']))
  for (const name of names) expect(readFileSync(join(folder, name), 'utf8')).toSatisfy(isAscii)
  // What lies beside its sources is found from where they stood, the packages of others from where they are installed.
  cpSync(join(root, 'apps/tool/notes.txt'), join(target, 'apps/tool/notes.txt'), { recursive: true })
  const library = join(target, 'node_modules/@vendor/library')
  mkdirSync(library, { recursive: true })
  writeFileSync(join(library, 'package.json'), '{ "type": "module", "exports": { "./part": "./part.js" } }')
  writeFileSync(join(library, 'part.js'), "export const Library = 'of others'")
  writeFileSync(join(target, 'package.json'), '{ "type": "module" }')
  expect(JSON.parse(execFileSync(process.execPath, [join(folder, 'main.js')], { encoding: 'utf8' }))).toEqual({
    library: 'of others',
    version: '1.2.3',
    notes: 'what lies beside the sources',
    className: 'Other',
    later: ['no-such-file.ts', 'Shared', true],
    process: 'Other – ✓',
  })
})

test('what is loaded when it is needed can be left out, what is needed always cannot', async () => {
  const root = makeProject(project)
  const leave = (file: string) =>
    bundleProgram(root, 'apps/tool/src/main.ts', temporaryFolder(), { isLeftOut: (name) => name === file })
  expect((await leave('apps/tool/src/later.ts')).files).not.toContain('apps/tool/src/later.ts')
  await expect(leave('packages/shared/src/other.ts')).rejects.toThrow(
    'packages/shared/src/deep/shared.ts needs packages/shared/src/other.ts, which is left out',
  )
})

test('the program and the dashboard are bundled by the same version of Rolldown', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const installed = Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/rolldown'))
  expect(installed).toEqual(['node_modules/rolldown'])
})

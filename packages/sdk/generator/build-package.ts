import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))

/** Builds the package that is published, as JavaScript with types, in `packages/sdk/dist` unless told otherwise. */
export function buildPackage(folder = join(home, 'dist')): void {
  rmSync(folder, { recursive: true, force: true })
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', home, '--outDir', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Our own file; its form is checked by npm.
  const ours = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, version, description, license, author, type, engines, dependencies } = ours
  const exports = { '.': { types: './sdk.d.ts', default: './sdk.js' } }
  const published = {
    name,
    version,
    description,
    license,
    author,
    type,
    engines,
    dependencies,
    exports,
    sideEffects: false,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  copyFileSync(join(home, 'README.md'), join(folder, 'README.md'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPackage()

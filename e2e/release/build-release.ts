import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The version that is released: the one of the project's own package.json. */
export async function releasedVersion(): Promise<string> {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
}

/**
 * Builds a release into a folder as `npm run release` does, with some of its ways to install only, and checks that SHA256SUMS lists
 * what is there.
 *
 * @returns its files
 */
export async function buildRelease(output: string, args: string[]): Promise<string[]> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/release/main.mjs'), '--output', output, ...args], {
    cwd: root,
    timeout: 400_000,
    maxBuffer: 10_000_000,
  })
  const sums = await readFile(join(output, 'SHA256SUMS'), 'utf8')
  const files = []
  for (const line of sums.trim().split('\n')) {
    const [sum, name = ''] = line.split('  ')
    const hash = createHash('sha256').update(await readFile(join(output, name)))
    if (hash.digest('hex') !== sum) throw new Error(`${name} is not what SHA256SUMS says`)
    files.push(name)
  }
  return files
}

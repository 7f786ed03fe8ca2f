import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const pages = join(import.meta.dirname, '../../docs/install')

/** The commands of a page of `docs/install`, in order: what stands behind a `$` in its blocks, with the lines that continue it. */
export async function readCommands(page: string): Promise<string[]> {
  const text = await readFile(join(pages, `${page}.md`), 'utf8')
  return [...text.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    [...block.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command),
  )
}

/** Runs commands of a page one after another in one shell, which ends with the first that fails. */
export async function runCommands(commands: readonly string[], options: { cwd: string }): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', commands.join('\n')], {
    ...options,
    timeout: 60_000,
  })
  return stdout
}

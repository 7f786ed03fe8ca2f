import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory for one test, removed when the test ends. Others may pass through it, unless `mode` says otherwise. */
export function temporaryDirectory(mode = 0o711): string {
  const directory = mkdtempSync(join(tmpdir(), 'printyard-case-'))
  chmodSync(directory, mode)
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

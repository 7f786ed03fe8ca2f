import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Puts an empty file system over a folder and gives what takes it away again; undefined where this user may not mount one. */
export function mountSmallDisk(path: string, size: `${number}${'k' | 'm'}`): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => execFileSync('umount', ['-l', path])
}

/** True when tests can fill a disk up here; says so when not, because they are skipped then. */
export function canMountDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-small-disk-'))
  const unmount = mountSmallDisk(folder, '64k')
  unmount?.()
  rmSync(folder, { recursive: true, force: true })
  if (!unmount) console.warn('SKIPPED: this user may not mount a file system, so no disk can be full')
  return unmount !== undefined
}

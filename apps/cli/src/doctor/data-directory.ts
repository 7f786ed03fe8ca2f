import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Holder } from '@printyard/server/db/embedded/data-directory'
import type { Config } from '@printyard/server/kernel/config'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { type Finding, messageOf, ok, problem, warning } from './finding.ts'

const mib = 1024 * 1024
/** Below this nothing new is stored. */
const neededBytes = 64 * mib
/** A few large print files. */
const comfortableBytes = 1024 * mib

export function checkDataDirectory(dataDir: string, holder: Holder | undefined): Finding[] {
  const place = nearestExisting(dataDir)
  const findings = [checkAccess(dataDir, place, holder)]
  try {
    const { bavail, bsize } = statfsSync(place)
    findings.push(checkSpace(dataDir, bavail * bsize))
  } catch (error) {
    findings.push(
      problem('space', tell`The free space of ${place} cannot be read: ${messageOf(error)}.`, tell`Check the disk.`),
    )
  }
  return findings
}

function checkAccess(dataDir: string, place: string, holder: Holder | undefined): Finding {
  const name = 'data directory'
  const choose = tell`Make it writable for the user who runs Printyard, or choose another with PRINTYARD_DATA_DIR.`
  if (!statSync(place).isDirectory()) {
    return problem(name, tell`${place} is a file, not a directory.`, tell`Choose another with PRINTYARD_DATA_DIR.`)
  }
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
  } catch (error) {
    return problem(name, tell`${place} cannot be written to: ${messageOf(error)}.`, choose)
  }
  if (place !== dataDir) return ok(name, tell`${dataDir} does not exist yet; the first start makes it.`)
  const use =
    holder === undefined
      ? tell`no one uses it now`
      : tell`process ${holder.pid} (${holder.purpose}) uses it since ${holder.started_at}`
  return ok(name, tell`${dataDir}: ${use}.`)
}

export function checkSpace(dataDir: string, freeBytes: number): Finding {
  const free = tell`${shareable(Math.floor(freeBytes / mib).toLocaleString('en'))} MB are free for ${dataDir}.`
  const remedy = tell`Free some space, or move the data directory to a larger disk while the service is stopped.`
  if (freeBytes < neededBytes) return problem('space', tell`Only ${free} Nothing more is stored.`, remedy)
  return freeBytes < comfortableBytes ? warning('space', tell`Only ${free}`, remedy) : ok('space', free)
}

/** The key that opens the stored secrets of printers. Without it each of them has to be entered again. */
export function checkSecretKey({ dataDir, secretKey }: Pick<Config, 'dataDir' | 'secretKey'>): Finding {
  const name = 'secret key'
  if (secretKey !== undefined) return ok(name, tell`It comes from PRINTYARD_SECRET_KEY.`)
  const path = join(dataDir, 'secret.key')
  if (!existsSync(path)) {
    if (!existsSync(join(dataDir, 'files')))
      return ok(name, tell`${path} does not exist yet; the first start makes it.`)
    return warning(
      name,
      tell`${path} is missing, although the service ran here before.`,
      tell`Put it back from your copy before you start; with a new one the stored secrets of printers cannot be read.`,
    )
  }
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    return problem(
      name,
      tell`${path} cannot be read: ${messageOf(error)}.`,
      tell`Give it to the user who runs Printyard.`,
    )
  }
  if (!/^[0-9a-f]{64}$/.test(text)) {
    return problem(name, tell`${path} is damaged: it must hold 64 hex digits.`, tell`Put it back from your copy.`)
  }
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) !== 0) {
    return problem(
      name,
      tell`${path} can be read by others on this machine (mode ${shareable(mode.toString(8))}).`,
      tell`Run \`chmod 600 ${path}\`; if others had access, give the printers new credentials.`,
    )
  }
  return ok(name, tell`${path} is readable for its owner only.`)
}

function nearestExisting(path: string): string {
  for (let current = path; ; current = dirname(current)) {
    if (existsSync(current) || current === dirname(current)) return current
  }
}

import { statSync } from 'node:fs'
import type { DatabaseLog } from '../db/setup/database-log.ts'
import { type Config, ConfigError } from '../kernel/config.ts'
import { CertificateError, type CertificatePair, type PairFiles, readPair } from './certificate-pair.ts'

/** People are told this long before a certificate ends: enough to renew it on a working day. */
export const warnBeforeMs = 14 * 24 * 3_600_000

/** Interval at which the files are looked at. What they hold counts once two looks in a row have found the same. */
export const lookEveryMs = 2_000

/** The two files of the settings; undefined where the service speaks plain HTTP. */
export function pairFilesOf({
  tlsCertFile,
  tlsKeyFile,
}: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): PairFiles | undefined {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined
  return { certFile: tlsCertFile, keyFile: tlsKeyFile }
}

/**
 * The certificate that the service shows. Its files are looked at again and again, by their stamps: watchers of the kernel miss the
 * links that certbot and Kubernetes put in their place. New files are taken when they are whole and belong together; until then the
 * former certificate stays.
 */
export class ServedCertificate {
  readonly #files: PairFiles
  readonly #log: Pick<DatabaseLog, 'info' | 'warn' | 'error'>
  readonly #listeners = new Set<(pair: CertificatePair) => void>()
  #pair: CertificatePair
  #problem: string | undefined
  /** Mark of the files as they were judged last. */
  #judged: string
  /** Mark of the files as they were at the last look. */
  #seen: string

  /** Reads the files for the first time. @throws ConfigError when they cannot be served */
  constructor(files: PairFiles, log: Pick<DatabaseLog, 'info' | 'warn' | 'error'>) {
    this.#files = files
    this.#log = log
    this.#seen = this.#judged = stampOf(files)
    try {
      this.#pair = readPair(files)
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      const variable = error.file === 'key' ? 'PRINTYARD_TLS_KEY_FILE' : 'PRINTYARD_TLS_CERT_FILE'
      throw new ConfigError([{ variable, problem: error.message }])
    }
  }

  get pair(): CertificatePair {
    return this.#pair
  }

  /** Reason why the present files are not served, while a former certificate is; undefined when they are. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Calls `listener` with each certificate that takes the place of the former one. */
  onChange(listener: (pair: CertificatePair) => void): void {
    this.#listeners.add(listener)
  }

  /** Takes files that have changed since they were judged, once they are at rest. */
  look(): void {
    const stamp = stampOf(this.#files)
    const isAtRest = stamp === this.#seen
    this.#seen = stamp
    if (!isAtRest || stamp === this.#judged) return
    this.#judged = stamp
    try {
      const pair = readPair(this.#files)
      // Written while it was read: the next looks judge it again.
      if (stampOf(this.#files) !== stamp) {
        this.#judged = ''
        return
      }
      this.#pair = pair
      this.#problem = undefined
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      this.#problem = error.message
      this.#log.error(
        { problem: error.message, ends_at: this.#pair.endsAt },
        'the new certificate cannot be used; the former one is kept',
      )
      return
    }
    for (const listener of this.#listeners) listener(this.#pair)
    this.#log.info({ ends_at: this.#pair.endsAt }, 'another certificate is served from now on')
  }
}

/** Changes with the files, also where a link leads to another one. */
function stampOf({ certFile, keyFile }: PairFiles): string {
  return [certFile, keyFile].map(stampOfFile).join(' ')
}

function stampOfFile(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path)
    return `${ino}.${size}.${mtimeMs}.${ctimeMs}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

import { X509Certificate } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { CertificateError, namesOf, readPair } from './certificate-pair.ts'
import { isLocalAddress, namesOfMachine, permittedNames } from './local-names.ts'
import { type MadeCertificate, makeAuthority, makeServerCertificate, permittedIn } from './make-certificate.ts'

interface SelfSignedOptions {
  dataDir: string
  /** Names and addresses besides those of this machine. */
  hosts: readonly string[]
  /** Makes another certificate in the place of the present one, from the same authority. */
  isRenewal: boolean
  /** Makes another authority too: every device and hub has to be told again. */
  isNewAuthority: boolean
}

interface SelfSigned {
  certFile: string
  keyFile: string
  authorityFile: string
  /** SHA-256 of the authority, as devices show it and hubs take it. */
  fingerprint: string
  hosts: string[]
  endsAt: Date
  isNewAuthority: boolean
}

/** Reason why no certificate was made, in a sentence for people. */
export class SelfSignedError extends Error {}

/** Below this the rest of an authority's life is not worth a certificate. */
const leastAuthorityMs = 60 * 24 * 3_600_000

/**
 * Makes a certificate for this machine in its networks, with an authority of its own that is kept for renewals. What is there already is
 * not overwritten unless it is asked for.
 *
 * @throws SelfSignedError
 */
export async function makeSelfSigned(options: SelfSignedOptions, now: Date): Promise<SelfSigned> {
  const strangers = options.hosts.filter((host) => isIP(host) !== 0 && !isLocalAddress(host))
  if (strangers.length > 0) {
    throw new SelfSignedError(
      `A local authority does not vouch for addresses of the internet: ${strangers.join(', ')}.`,
    )
  }
  const files = selfSignedFiles(options.dataDir)
  const former = readFormer(files)
  if (former !== undefined && !options.isRenewal && !options.isNewAuthority) {
    throw new SelfSignedError(
      `${files.certFile} is there already${former.until}. Add --renew for another one from the same authority.`,
    )
  }
  const known = options.isNewAuthority ? undefined : readAuthority(files)
  if (known !== undefined) requireUsable(known, options.hosts, now)
  // A machine that was called differently is no reason to refuse: the authority vouches for its addresses still.
  const found = [...namesOfMachine(), ...(former?.hosts ?? []).filter((host) => isIP(host) === 0)]
  const [first, ...rest] = new Set([
    ...options.hosts,
    ...found.filter((host) => known === undefined || canVouch(known, host)),
  ])
  if (first === undefined)
    throw new SelfSignedError('This machine has neither a name nor an address; give one with --host.')
  const hosts: [string, ...string[]] = [first, ...rest]
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(files.certFile), { recursive: true, mode: 0o700 })
  own(dirname(files.certFile), options.dataDir)
  const authority = known ?? (await makeAuthority({ name: nameOfAuthority(now), dnsNames: permittedNames(hosts) }, now))
  const made = await makeServerCertificate(authority, hosts, now)
  const write = (path: string, text: string, mode: number) =>
    replaceFile(path, text, { mode, dataDir: options.dataDir })
  if (known === undefined) {
    // The key first: a certificate without it could not be renewed, and nothing would say so.
    write(files.authorityKeyFile, authority.key, 0o600)
    write(files.authorityFile, authority.cert, 0o644)
  }
  // A service that reads between the two finds that they do not belong together, and keeps what it has.
  write(files.keyFile, made.key, 0o600)
  write(files.certFile, made.cert, 0o644)
  const { endsAt } = readPair(files)
  return {
    certFile: files.certFile,
    keyFile: files.keyFile,
    authorityFile: files.authorityFile,
    fingerprint: new X509Certificate(authority.cert).fingerprint256,
    hosts,
    endsAt,
    isNewAuthority: known === undefined,
  }
}

function selfSignedFiles(dataDir: string) {
  const folder = join(dataDir, 'tls')
  return {
    certFile: join(folder, 'server.crt'),
    keyFile: join(folder, 'server.key'),
    authorityFile: join(folder, 'ca.crt'),
    authorityKeyFile: join(folder, 'ca.key'),
  }
}

type Files = ReturnType<typeof selfSignedFiles>

/** Answers what is there already, also where it was broken off or damaged. */
function readFormer(files: Files): { hosts: string[]; until: string } | undefined {
  if (!existsSync(files.certFile) && !existsSync(files.keyFile)) return undefined
  try {
    const { leaf, endsAt } = readPair(files)
    return { hosts: namesOf(leaf), until: `, until ${endsAt.toISOString().slice(0, 10)}` }
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return { hosts: [], until: `, but ${error.message}` }
  }
}

function readAuthority(files: Files): MadeCertificate | undefined {
  const found = [files.authorityFile, files.authorityKeyFile].filter((path) => existsSync(path))
  if (found.length === 0) return undefined
  if (found.length === 1) {
    throw new SelfSignedError(
      `Of the authority only ${found[0]} is there. Put the other file back from your copy, or add --new-authority and tell every device again.`,
    )
  }
  try {
    const { cert, key } = readPair({ certFile: files.authorityFile, keyFile: files.authorityKeyFile })
    return { cert, key }
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    throw new SelfSignedError(
      `The authority cannot be used: ${error.message}. Put its files back from your copy, or add --new-authority and tell every device again.`,
      { cause: error },
    )
  }
}

/** An authority vouches for the names that it was made for and for local ones alone, and not for ever. */
function requireUsable(authority: MadeCertificate, hosts: readonly string[], now: Date): void {
  const certificate = new X509Certificate(authority.cert)
  const until = certificate.validToDate
  if (until.getTime() - now.getTime() < leastAuthorityMs) {
    throw new SelfSignedError(
      `The authority ends on ${until.toISOString().slice(0, 10)}. Add --new-authority, and tell every device and hub again.`,
    )
  }
  const strange = hosts.filter((host) => !canVouch(authority, host))
  if (strange.length === 0) return
  throw new SelfSignedError(
    `The authority may not vouch for ${strange.join(', ')}. Add --new-authority, and tell every device and hub again.`,
  )
}

function canVouch(authority: MadeCertificate, host: string): boolean {
  if (isIP(host) !== 0) return isLocalAddress(host)
  return permittedIn(authority).some((name) => host === name || host.endsWith(`.${name}`))
}

function nameOfAuthority(now: Date): string {
  return `Printyard ${hostname().split('.')[0]?.slice(0, 30) ?? ''} ${now.toISOString().slice(0, 10)}`
}

/** Writes a file beside its place and renames it there, so that no one ever reads a part of it. */
function replaceFile(path: string, text: string, { mode, dataDir }: { mode: number; dataDir: string }): void {
  const draft = `${path}.new`
  const file = openSync(draft, 'w', mode)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  own(draft, dataDir)
  renameSync(draft, path)
}

/** What root makes belongs to the owner of the data directory: the service reads it as that user. */
function own(path: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  if (uid !== 0) chownSync(path, uid, gid)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The maker's own authorities, as printers of all models ship with them; an operator adds others as files. */
const bundled = join(import.meta.dirname, 'authorities.pem')
const onePem = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

let bundledCertificates: string[] | undefined

/**
 * The authorities whose word for a printer's serial number is believed, as PEM: those that the hub comes with, and the
 * `.pem` files in `printer-authorities` of its data directory.
 */
export function knownAuthorities(dataDir: string): string[] {
  bundledCertificates ??= certificatesIn(bundled)
  const folder = join(dataDir, 'printer-authorities')
  return [...bundledCertificates, ...pemFilesIn(folder).flatMap((name) => certificatesIn(join(folder, name)))]
}

function pemFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.pem'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function certificatesIn(path: string): string[] {
  return readFileSync(path, 'utf8').match(onePem) ?? []
}

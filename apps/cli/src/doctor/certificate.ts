import type { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Config } from '@printyard/server/kernel/config'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { CertificateError, type CertificatePair, namesOf, readPair } from '@printyard/server/tls/certificate-pair'
import { pairFilesOf, warnBeforeMs } from '@printyard/server/tls/served-certificate'
import { type Finding, ok, problem, warning } from './finding.ts'

const name = 'certificate'
const renew = tell`Renew it: see docs/operating/https.md.`

/**
 * Until when the certificate of the settings is good, and whether the running service shows that one. Nothing to say of a service that speaks
 * plain HTTP.
 *
 * @param served What the running service shows; undefined when none answers.
 */
export function checkCertificate(
  config: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>,
  served: X509Certificate | undefined,
  now: Date,
): Finding[] {
  const files = pairFilesOf(config)
  if (files === undefined) return []
  let pair: CertificatePair
  try {
    pair = readPair(files)
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    const consequence =
      served === undefined
        ? tell`The service does not start with it.`
        : tell`The running service keeps the former one, until ${dayOf(served.validToDate)}, and would not start again.`
    return [problem(name, tell`${error.message}. ${consequence}`, renew)]
  }
  const findings = [checkEnd(pair, now), ...checkKeyFile(files.keyFile)]
  if (served !== undefined && served.fingerprint256 !== pair.leaf.fingerprint256) {
    findings.push(
      warning(
        name,
        tell`The running service shows another one still, until ${dayOf(served.validToDate)}.`,
        tell`It takes new files within a few seconds; if it does not, look into its log, and restart it.`,
      ),
    )
  }
  return findings
}

function checkEnd({ leaf, endsAt, authority }: CertificatePair, now: Date): Finding {
  const day = dayOf(endsAt)
  if (endsAt <= now) return problem(name, tell`It has ended on ${day}: browsers, phones and hubs refuse it.`, renew)
  if (leaf.validFromDate > now) {
    return problem(
      name,
      tell`It begins on ${dayOf(leaf.validFromDate)} only.`,
      tell`Set the clock of this machine, or renew it.`,
    )
  }
  const leftMs = endsAt.getTime() - now.getTime()
  const days = Math.floor(leftMs / 86_400_000)
  if (leftMs <= warnBeforeMs) return warning(name, tell`It ends on ${day}, in ${days} days.`, renew)
  const from = authority === undefined ? tell`` : tell`, from an authority of its own`
  return ok(name, tell`It is good until ${day} (${days} days) for ${namesOf(leaf).join(', ') || 'no name'}${from}.`)
}

/** A group may read it where the service has it by its group, as with secrets of Kubernetes. */
function checkKeyFile(path: string): Finding[] {
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o007) === 0) return []
  const message = tell`Its key ${path} can be read by everybody on this machine (mode ${shareable(mode.toString(8))}).`
  return [problem(name, message, tell`Run \`chmod 600 ${path}\`, and make another certificate if others had access.`)]
}

const dayOf = (date: Date) => shareable(date.toISOString().slice(0, 10))

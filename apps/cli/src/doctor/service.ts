import type { X509Certificate } from 'node:crypto'
import type { Holder } from '@printyard/server/db/embedded/data-directory'
import type { Config } from '@printyard/server/kernel/config'
import { redactText } from '@printyard/server/modules/support/redact-log'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { addressOf, askOwnService } from '../own-service.ts'
import { type Finding, messageOf, ok, problem, warning } from './finding.ts'

const answerTimeoutMs = 3_000

/** Answer of `/readyz`; from the network, so nothing is sure. */
interface Readiness {
  status?: unknown
  version?: unknown
  checks?: { name?: unknown; ok?: unknown; problem?: unknown; since?: unknown }[]
}

interface CheckedService {
  finding: Finding
  /** What it shows, where it speaks HTTPS. */
  certificate?: X509Certificate | undefined
}

/** Checks whether the service of this data directory, or of these settings, serves. */
export async function checkService(
  config: Config,
  holder: Holder | undefined,
  version: string,
): Promise<CheckedService> {
  const name = 'service'
  const own = holder?.purpose === 'service' ? holder : undefined
  if (own !== undefined && own.url === undefined) {
    const message = tell`Process ${own.pid} has been starting it since ${own.started_at}.`
    return { finding: warning(name, message, tell`Look again in a moment.`) }
  }
  const url = own?.url ?? addressOf(config)
  const start = tell`Start it with \`npm start\`.`
  if (url === undefined) return { finding: warning(name, tell`It is not running.`, start) }
  try {
    const { body, certificate } = await askOwnService(`${url}/readyz`, answerTimeoutMs)
    const isOurs = own !== undefined || config.databaseUrl !== undefined
    return { finding: judge(JSON.parse(body) as Readiness, url, isOurs, version), certificate }
  } catch (error) {
    if (own !== undefined) {
      const message = tell`Process ${own.pid} runs it, but ${url} does not answer: ${messageOf(error)}.`
      return { finding: problem(name, message, tell`Restart it.`) }
    }
    if (isNobodyThere(error)) {
      return { finding: warning(name, tell`It is not running: no one answers at ${url}.`, start) }
    }
    return { finding: strangerAt(url) }
  }
}

function judge(readiness: Readiness, url: string, isOurs: boolean, version: string): Finding {
  const name = 'service'
  if (readiness.status !== 'ready' && readiness.status !== 'not_ready') {
    return strangerAt(url)
  }
  if (!isOurs) {
    return warning(
      name,
      tell`A Printyard answers at ${url}, but it uses another data directory.`,
      tell`Choose its data directory with --data-dir to look at it, or another port with PRINTYARD_PORT to start one here.`,
    )
  }
  const failing = (readiness.checks ?? []).filter((check) => check.ok !== true)
  const parts = failing.map(describeCheck).join('; ')
  const missing = { text: parts, shareable: redactText(parts) }
  if (readiness.status === 'not_ready') {
    return problem(name, tell`It runs at ${url} but is not ready: ${missing}.`, tell`Its log tells more.`)
  }
  if (readiness.version !== version) {
    return warning(
      name,
      tell`Version ${String(readiness.version)} runs at ${url}; this is ${shareable(version)}.`,
      tell`Restart it.`,
    )
  }
  if (failing.length > 0) {
    return warning(name, tell`It is ready at ${url}, without all of its parts: ${missing}.`, tell`Its log tells more.`)
  }
  return ok(name, tell`It is ready at ${url}.`)
}

function describeCheck({ name, problem: why, since }: NonNullable<Readiness['checks']>[number]): string {
  return `${name} ${why ?? 'is not ready'}${since === undefined ? '' : ` (since ${since})`}`
}

function strangerAt(url: string): Finding {
  return problem(
    'service',
    tell`Something else than Printyard answers at ${url}.`,
    tell`Stop that program, or choose another port with PRINTYARD_PORT.`,
  )
}

function isNobodyThere(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EADDRNOTAVAIL']
  // Several addresses of one name fail as one error with parts.
  const parts: unknown[] = error instanceof AggregateError ? error.errors : [error]
  return parts.every((part) => part instanceof Error && 'code' in part && codes.includes(String(part.code)))
}

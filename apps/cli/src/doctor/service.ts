import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Holder } from '@printyard/server/db/embedded/data-directory'
import type { Config } from '@printyard/server/kernel/config'
import { redactText } from '@printyard/server/modules/support/redact-log'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { type Finding, messageOf, ok, problem, warning } from './finding.ts'

const answerTimeoutMs = 3_000

/** What `/readyz` answers; from the network, so nothing is sure. */
interface Readiness {
  status?: unknown
  version?: unknown
  checks?: { name?: unknown; ok?: unknown; problem?: unknown }[]
}

/** Whether the service of this data directory, or of these settings, serves. */
export async function checkService(config: Config, holder: Holder | undefined, version: string): Promise<Finding> {
  const name = 'service'
  const own = holder?.purpose === 'service' ? holder : undefined
  if (own !== undefined && own.url === undefined) {
    return warning(
      name,
      tell`Process ${own.pid} has been starting it since ${own.started_at}.`,
      tell`Look again in a moment.`,
    )
  }
  const url = own?.url ?? addressOf(config)
  const start = tell`Start it with \`npm start\`.`
  if (url === undefined) return warning(name, tell`It is not running.`, start)
  let readiness: Readiness
  try {
    readiness = JSON.parse(await ask(`${url}/readyz`)) as Readiness
  } catch (error) {
    if (own !== undefined) {
      return problem(
        name,
        tell`Process ${own.pid} runs it, but ${url} does not answer: ${messageOf(error)}.`,
        tell`Restart it.`,
      )
    }
    if (isNobodyThere(error)) return warning(name, tell`It is not running: no one answers at ${url}.`, start)
    return strangerAt(url)
  }
  return judge(readiness, url, own !== undefined || config.databaseUrl !== undefined, version)
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
  if (readiness.status === 'not_ready') {
    const failing = (readiness.checks ?? []).filter((check) => check.ok !== true)
    const parts = failing.map((check) => `${check.name} ${check.problem ?? 'is not ready'}`).join('; ')
    return problem(
      name,
      tell`It runs at ${url} but is not ready: ${{ text: parts, shareable: redactText(parts) }}.`,
      tell`Its log tells more.`,
    )
  }
  if (readiness.version !== version) {
    return warning(
      name,
      tell`Version ${String(readiness.version)} runs at ${url}; this is ${shareable(version)}.`,
      tell`Restart it.`,
    )
  }
  return ok(name, tell`It is ready at ${url}.`)
}

/** Where the service of these settings listens; undefined when it takes any free port. */
export function addressOf({ host, port }: Config): string | undefined {
  if (port === 0) return undefined
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`
}

function strangerAt(url: string): Finding {
  return problem(
    'service',
    tell`Something else than Printyard answers at ${url}.`,
    tell`Stop that program, or choose another port with PRINTYARD_PORT.`,
  )
}

/** Not by `fetch`, which refuses to ask at some ports on which a service may well listen. */
function ask(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(answerTimeoutMs), agent: false }, (answer) => {
      text(answer).then(resolve, reject)
    })
    request.on('error', reject)
  })
}

function isNobodyThere(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EADDRNOTAVAIL']
  // Several addresses of one name fail as one error with parts.
  const parts: unknown[] = error instanceof AggregateError ? error.errors : [error]
  return parts.every((part) => part instanceof Error && 'code' in part && codes.includes(String(part.code)))
}

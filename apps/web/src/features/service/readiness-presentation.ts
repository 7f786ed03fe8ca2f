import type { Tone } from '../../ui/tone.ts'
import type { Readiness } from './service.api.ts'

export type ReadinessPresentation = {
  tone: Tone
  word: string
  /** What is wrong and what happens next, a sentence each; empty when all is well. */
  problems: string[]
}

/** Undefined: not asked yet. */
export function presentReadiness(readiness: Readiness | undefined): ReadinessPresentation {
  if (readiness === undefined) return { tone: 'unknown', word: 'Asking the service', problems: [] }
  if (readiness.state === 'unreachable') {
    return {
      tone: 'away',
      word: 'Service cannot be reached',
      problems: [
        `Printyard does not answer: ${readiness.problem}.`,
        'What you see below may be old. This page tries again every 5 seconds and goes on by itself.',
      ],
    }
  }
  if (readiness.state === 'ready') return { tone: 'done', word: 'Service ready', problems: [] }
  const failed = readiness.report.checks.filter((check) => !check.ok)
  return {
    tone: 'trouble',
    word: 'Service not ready',
    problems:
      failed.length > 0
        ? failed.map((check) => `${check.name}: ${check.problem ?? 'not well'}`)
        : [`The service says “${readiness.report.status}”.`],
  }
}

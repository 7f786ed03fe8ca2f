import { usePolling } from '../../lib/use-polling.ts'
import { Notice } from '../../ui/notice.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { presentReadiness, type ReadinessPresentation } from './readiness-presentation.ts'
import { readReadiness } from './service.api.ts'

const askReadiness = (signal: AbortSignal) => readReadiness(fetch, signal)

/** Whether the service is ready, asked every 5 seconds. */
export function useServiceStatus(): ReadinessPresentation & { version: string | undefined } {
  const { value } = usePolling(askReadiness, 5000)
  const version = value !== undefined && value.state !== 'unreachable' ? value.report.version : undefined
  return { ...presentReadiness(value), version }
}

export function ServiceStatus({ status }: { status: ReturnType<typeof useServiceStatus> }) {
  return (
    <div className="service-status" role="status">
      <StatusMark tone={status.tone} word={status.word} />
    </div>
  )
}

export function ServiceProblems({ status }: { status: ReadinessPresentation }) {
  if (status.problems.length === 0) return null
  return (
    <Notice kind="trouble">
      <p>
        <strong>{status.word}.</strong>
      </p>
      {status.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Notice>
  )
}

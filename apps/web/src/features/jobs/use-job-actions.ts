import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { forAll } from '../../lib/for-all.ts'
import { formatAmount } from '../../lib/format.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'
import { useActions } from '../../ui/dialogs/use-actions.ts'
import { useLookFirst } from '../../ui/dialogs/use-look-first.ts'
import { type Priority, priorityWord } from './job-priority.tsx'
import { useStartJob } from './use-start-job.ts'

/** What the actions on a job need to know of it. */
export interface JobSubject {
  id: string
  name: string
  status: string | null
  printer_id: string | null
  printer_name: string | null
}

/** What a person does with jobs. Each asks first where something moves or is lost, and answers whether it was done. */
export function useJobActions() {
  const confirm = useConfirm()
  const lookFirst = useLookFirst()
  const startJob = useStartJob()
  const queryClient = useQueryClient()
  const { busyId, perform } = useActions('jobs')
  const params = ({ id }: JobSubject) => ({ params: { id } })

  /** Says how many were done, and how many could not be. */
  async function doWithAll(jobs: readonly JobSubject[], call: (job: JobSubject) => Promise<unknown>, done: string) {
    const failures = await forAll(jobs, call)
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
    const succeeded = jobs.length - failures.length
    if (succeeded > 0) toastDone(`${formatAmount(succeeded, 'job')} ${done}`)
    const [first] = failures
    if (first) toastFailed(`${formatAmount(failures.length, 'job')} could not be ${done}`, first.error)
  }

  return {
    busyId,
    start(job: JobSubject) {
      const printer = job.printer_name ?? 'its printer'
      return perform({
        id: job.id,
        question: {
          title: `Start ${job.name} on ${printer} now?`,
          body: `${printer} heats up and moves as soon as it has the file. Its plate must be empty.`,
          confirmLabel: 'Start printing',
        },
        call: () => startJob(job.id, job.name),
        done: `${job.name} is on its way to ${printer}`,
        failed: `${job.name} could not be started`,
      })
    },
    cancel(job: JobSubject) {
      const isRunning = job.status !== 'queued'
      return perform({
        id: job.id,
        question: {
          title: isRunning ? `Stop ${job.name} on ${job.printer_name ?? 'its printer'}?` : `Cancel ${job.name}?`,
          body: isRunning
            ? 'The printer stops where it is. What lies on the plate is lost.'
            : 'It leaves the queue. It stays in the history and can be printed again from there.',
          confirmLabel: isRunning ? 'Stop and cancel' : 'Cancel the job',
          cancelLabel: 'Keep it',
          isDangerous: true,
        },
        call: () =>
          lookFirst((words) => api.call('POST /jobs/{id}/cancel', { ...params(job), body: words }), {
            endsPrint: true,
          }),
        done: `${job.name} is cancelled`,
        failed: `${job.name} could not be cancelled`,
      })
    },
    pause: (job: JobSubject) =>
      perform({
        id: job.id,
        question: {
          title: `Pause ${job.name} on ${job.printer_name ?? 'its printer'}?`,
          body: 'A print that stands still for long may come loose or show a seam.',
          confirmLabel: 'Pause',
        },
        call: () => api.call('POST /jobs/{id}/pause', params(job)),
        done: `${job.name} is paused`,
        failed: `${job.name} could not be paused`,
      }),
    resume: (job: JobSubject) =>
      perform({
        id: job.id,
        question: {
          title: `Go on with ${job.name} on ${job.printer_name ?? 'its printer'}?`,
          body: 'The printer moves again at once. Keep hands out of it.',
          confirmLabel: 'Resume',
        },
        call: () => api.call('POST /jobs/{id}/resume', params(job)),
        done: `${job.name} goes on`,
        failed: `${job.name} could not be resumed`,
      }),
    retry: (job: JobSubject) =>
      perform({
        id: job.id,
        call: () => api.call('POST /jobs/{id}/retry', params(job)),
        done: `${job.name} is queued again`,
        failed: `${job.name} could not be queued again`,
      }),
    /** Answers whether it was tried. */
    async cancelAll(jobs: readonly JobSubject[]): Promise<boolean> {
      const amount = formatAmount(jobs.length, 'job')
      const isSure = await confirm({
        title: `Cancel ${amount}?`,
        body:
          jobs.length === 1
            ? 'It leaves the queue. It stays in the history and can be printed again from there.'
            : 'They leave the queue. They stay in the history and can be printed again from there.',
        confirmLabel: `Cancel ${amount}`,
        cancelLabel: jobs.length === 1 ? 'Keep it' : 'Keep them',
        isDangerous: true,
      })
      if (!isSure) return false
      await doWithAll(jobs, (job) => api.call('POST /jobs/{id}/cancel', params(job)), 'cancelled')
      return true
    },
    /** Gives all of them one priority; what was as urgent before and what is now keep their order among themselves. */
    async prioritizeAll(jobs: readonly JobSubject[], priority: Priority): Promise<void> {
      const call = (job: JobSubject) => api.call('PATCH /jobs/{id}', { ...params(job), body: { priority } })
      await doWithAll(jobs, call, `set to ${priorityWord(priority).toLowerCase()} priority`)
    },
  }
}

export type JobActions = ReturnType<typeof useJobActions>

import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { forAll } from '../../lib/for-all.ts'
import { inSentence } from '../../lib/i18n/in-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { seenFailures } from '../../lib/words/failure-words.ts'
import { stopQuestion } from '../../ui/dialogs/stop-question.tsx'
import { toastDone, toastFailed, toastUndo } from '../../ui/dialogs/toast.tsx'
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
  const lookFirst = useLookFirst()
  const startJob = useStartJob()
  const queryClient = useQueryClient()
  const { busyId, perform } = useActions('jobs')
  const params = ({ id }: JobSubject) => ({ params: { id } })

  /** Says how many were done, and how many could not be. What was done is offered to be taken back, where `undo` is given. */
  async function doWithAll<Job extends JobSubject>(
    jobs: readonly Job[],
    call: (job: Job) => Promise<unknown>,
    done: string,
    undo?: (jobs: readonly Job[]) => void,
  ) {
    const failures = await forAll(jobs, call)
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
    const failed = new Set(failures.map(({ thing }) => thing))
    const changed = jobs.filter((job) => !failed.has(job))
    const [only] = changed
    const words =
      only && changed.length === 1
        ? t('{name} is {done}', { name: only.name, done })
        : `${t('{changed, plural, one {# job} other {# jobs}}', { changed: changed.length })} ${done}`
    if (changed.length > 0 && undo) toastUndo(words, () => undo(changed))
    else if (changed.length > 0) toastDone(words)
    const [first] = failures
    if (first)
      toastFailed(
        t('{failures, plural, one {# job} other {# jobs}} could not be {done}', { failures: failures.length, done }),
        first.error,
      )
  }

  const restore = (jobs: readonly JobSubject[]) =>
    void doWithAll(jobs, (job) => api.call('POST /jobs/{id}/restore', params(job)), t('back in the queue'))

  // One that was started meanwhile is not stopped without a question.
  const cancelWaiting = (job: JobSubject) =>
    api.call('POST /jobs/{id}/cancel', { ...params(job), body: { only_queued: true } })

  /** Nothing moves, and the service puts them back where they stood: so it is done at once. */
  const cancelQueued = (jobs: readonly JobSubject[]) => doWithAll(jobs, cancelWaiting, t('cancelled'), restore)

  return {
    busyId,
    start(job: JobSubject) {
      const printer = job.printer_name ?? t('its printer')
      return perform({
        id: job.id,
        question: {
          title: t('Start {name} on {printer} now?', { name: job.name, printer }),
          body: t('{printer} heats up and moves as soon as it has the file. Its plate must be empty.', { printer }),
          confirmLabel: t('Start printing'),
        },
        call: () => startJob(job.id, job.name),
        done: t('{name} is on its way to {printer}', { name: job.name, printer }),
        failed: t('{name} could not be started', { name: job.name }),
      })
    },
    cancel(job: JobSubject) {
      if (job.status === 'queued') return cancelQueued([job])
      const { question, reason } = stopQuestion(
        {
          title: t('Stop {name} on {printer_name}?', {
            name: job.name,
            printer_name: job.printer_name ?? t('its printer'),
          }),
          body: t('The printer stops where it is. What lies on the plate is lost.'),
          confirmLabel: t('Stop and cancel'),
          cancelLabel: t('Keep it'),
          isDangerous: true,
        },
        seenFailures,
      )
      return perform({
        id: job.id,
        question,
        call: () => {
          const type = reason()
          const why = type === undefined ? {} : { failure_type: type }
          return lookFirst(
            (words) => api.call('POST /jobs/{id}/cancel', { ...params(job), body: { ...words, ...why } }),
            { endsPrint: true },
          )
        },
        done: t('{name} is cancelled', { name: job.name }),
        failed: t('{name} could not be cancelled', { name: job.name }),
      })
    },
    pause: (job: JobSubject) =>
      perform({
        id: job.id,
        question: {
          title: t('Pause {name} on {printer_name}?', {
            name: job.name,
            printer_name: job.printer_name ?? t('its printer'),
          }),
          body: t('A print that stands still for long may come loose or show a seam.'),
          confirmLabel: t('Pause'),
        },
        call: () => api.call('POST /jobs/{id}/pause', params(job)),
        done: t('{name} is paused', { name: job.name }),
        failed: t('{name} could not be paused', { name: job.name }),
      }),
    resume: (job: JobSubject) =>
      perform({
        id: job.id,
        question: {
          title: t('Go on with {name} on {printer_name}?', {
            name: job.name,
            printer_name: job.printer_name ?? t('its printer'),
          }),
          body: t('The printer moves again at once. Keep hands out of it.'),
          confirmLabel: t('Resume'),
        },
        call: () => api.call('POST /jobs/{id}/resume', params(job)),
        done: t('{name} continues', { name: job.name }),
        failed: t('{name} could not be resumed', { name: job.name }),
      }),
    retry: (job: JobSubject) =>
      perform({
        id: job.id,
        call: () => api.call('POST /jobs/{id}/retry', params(job)),
        done: t('{name} is queued again', { name: job.name }),
        failed: t('{name} could not be queued again', { name: job.name }),
      }),
    cancelAll: cancelQueued,
    /** Gives all of them one priority; what was as urgent before and what is now keep their order among themselves. */
    async prioritizeAll(jobs: readonly (JobSubject & { priority: Priority })[], priority: Priority): Promise<void> {
      type Ranked = (typeof jobs)[number]
      const setTo = (job: Ranked, wanted: Priority) =>
        api.call('PATCH /jobs/{id}', { ...params(job), body: { priority: wanted } })
      await doWithAll(
        jobs,
        (job) => setTo(job, priority),
        t('set to {priorityWord} priority', { priorityWord: inSentence(priorityWord(priority)) }),
        // A priority leaves the position of a job as it is: with the former one it stands where it stood.
        (changed) => void doWithAll(changed, (job) => setTo(job, job.priority), t('as urgent as before')),
      )
    },
  }
}

export type JobActions = ReturnType<typeof useJobActions>

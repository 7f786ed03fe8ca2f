import { Button, Checkbox, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import type { JobSubject } from '../use-job-actions.ts'

const sightings = [
  { value: 'printed', label: t('It was printed'), description: t('The plate is good: its units are credited.') },
  { value: 'failed', label: t('It failed'), description: t('The job ends as failed; it can be queued again.') },
  {
    value: 'not_started',
    label: t('It did not start'),
    description: t('The job goes back into the queue.'),
  },
] as const

type Sighting = (typeof sightings)[number]['value']

/** A person who looked at the printer says what became of a plate that the service cannot see. */
export function ResolveDialog({ job, onClose }: { job: JobSubject; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<Sighting>()
  const [notes, setNotes] = useState('')
  const [isPlateClear, setIsPlateClear] = useState(false)
  // What was seen printing did begin.
  const wasSeenPrinting = job.status === 'printing' || job.status === 'paused'
  const possible = sightings.filter(({ value }) => value !== 'not_started' || !wasSeenPrinting)
  const save = useMutation({
    mutationFn: (seen: Sighting) =>
      api.call('POST /jobs/{id}/resolve', {
        params: { id: job.id },
        body: {
          outcome: seen,
          ...(notes.trim() !== '' && { notes: notes.trim() }),
          ...(isPlateClear && { plate_is_clear: true }),
        },
      }),
    onSuccess: () => {
      toastDone(t('The outcome of {name} is noted', { name: job.name }))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  return (
    <Modal opened onClose={onClose} title={t('How did the print of {name} end?', { name: job.name })}>
      <Stack>
        <Text size="sm">
          {t(
            'Printyard cannot see what {printer_name} did with this plate. Go and look before you answer: nothing else is started there until then.',
            { printer_name: job.printer_name ?? t('the printer') },
          )}
        </Text>
        <FormProblem problem={save.error ?? undefined} />
        <Radio.Group
          label={t('Outcome')}
          value={outcome ?? null}
          onChange={(value) => setOutcome(sightings.find((each) => each.value === value)?.value)}
        >
          <Stack gap="sm" mt="xs">
            {possible.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t('The plate is empty now')}
          description={t('Otherwise nothing starts there until the plate is cleared')}
          checked={isPlateClear}
          onChange={(event) => setIsPlateClear(event.currentTarget.checked)}
        />
        <Textarea
          label={t('Notes')}
          maxLength={400}
          autosize
          value={notes}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button disabled={!outcome} loading={save.isPending} onClick={() => outcome && save.mutate(outcome)}>
            {t('This is what I saw')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import type { JobSubject } from '../use-job-actions.ts'
import { useStartJob } from '../use-start-job.ts'
import type { PrinterOption } from './job-dialogs.tsx'

interface AssignDialogProps {
  job: JobSubject
  printers: readonly PrinterOption[]
  onClose: () => void
}

/** Gives a queued job to one printer, or to whichever fits; and starts it there when asked. */
export function AssignDialog({ job, printers, onClose }: AssignDialogProps) {
  const queryClient = useQueryClient()
  const mayStart = useMay('control')
  const startJob = useStartJob()
  const [printerId, setPrinterId] = useState(job.printer_id)
  const printer = printers.find(({ value }) => value === printerId)?.label
  const save = useMutation({
    mutationFn: async (startsNow: boolean) => {
      const params = { id: job.id }
      await api.call('POST /jobs/{id}/assign', { params, body: { printer_id: printerId } })
      if (startsNow) await startJob(job.id, job.name)
      return startsNow
    },
    onSuccess: (isStarted) => {
      if (isStarted) toastDone(t('{name} is on its way to {printer}', { name: job.name, printer: printer ?? '' }))
      else
        toastDone(
          printer
            ? t('{name} waits for {printer}', { name: job.name, printer: printer ?? '' })
            : t('{name} goes to whichever printer fits', { name: job.name }),
        )
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  return (
    <Modal opened onClose={onClose} title={t('Which printer prints {name}?', { name: job.name })}>
      <Stack>
        <FormProblem problem={save.error ?? undefined} />
        <Select
          label={t('Printer')}
          placeholder={t('Any printer that fits')}
          data={[...printers]}
          value={printerId}
          onChange={setPrinterId}
          searchable
          clearable
          nothingFoundMessage={t('No printer of this name')}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {t('Started now, the printer heats up and moves as soon as it has the file. Its plate must be empty.')}
        </Text>
        <Group justify="flex-end">
          {mayStart && (
            <Button
              variant="default"
              disabled={!printer}
              loading={save.isPending && save.variables}
              onClick={() => save.mutate(true)}
            >
              {printer ? t('Start on {printer} now', { printer }) : t('Start now')}
            </Button>
          )}
          <Button loading={save.isPending && !save.variables} onClick={() => save.mutate(false)}>
            {t('Assign')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
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
      if (isStarted) toastDone(`${job.name} is on its way to ${printer}`)
      else toastDone(printer ? `${job.name} waits for ${printer}` : `${job.name} goes to whichever printer fits`)
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  return (
    <Modal opened onClose={onClose} title={`Which printer prints ${job.name}?`}>
      <Stack>
        <FormProblem problem={save.error ?? undefined} />
        <Select
          label="Printer"
          placeholder="Any printer that fits"
          data={[...printers]}
          value={printerId}
          onChange={setPrinterId}
          searchable
          clearable
          nothingFoundMessage="No printer of this name"
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          Started now, the printer heats up and moves as soon as it has the file. Its plate must be empty.
        </Text>
        <Group justify="flex-end">
          {mayStart && (
            <Button
              variant="default"
              disabled={!printer}
              loading={save.isPending && save.variables}
              onClick={() => save.mutate(true)}
            >
              {printer ? `Start on ${printer} now` : 'Start now'}
            </Button>
          )}
          <Button loading={save.isPending && !save.variables} onClick={() => save.mutate(false)}>
            Assign
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

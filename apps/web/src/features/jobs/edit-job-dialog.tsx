import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import type { QueuedJob } from '../../lib/api/api-schema.generated.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { MomentInput } from '../../ui/moment-input.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { priorityOptions } from './job-priority.tsx'
import type { JobChanges } from './queue-move.ts'
import type { JobSubject } from './use-job-actions.tsx'

export type EditableJob = JobSubject &
  Pick<QueuedJob, 'priority' | 'due_date' | 'color' | 'any_color' | 'filament_type'>

/** Changes what a queued job asks for, and what decides its place. Only what differs is sent. */
export function EditJobDialog({ job, onClose }: { job: EditableJob; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { priority, due_date, color, any_color, filament_type } = job
  const initialValues = { priority, due_date, color, any_color, filament_type }
  const [problem, setProblem] = useState<Error>()
  const form = useForm({ initialValues })
  const save = useMutation({
    mutationFn: (values: typeof initialValues) => {
      const entries = Object.entries(values).filter(([name, value]) => {
        return value !== initialValues[name as keyof typeof initialValues]
      })
      // Names and values are those of the form, and so those of the route.
      const body = Object.fromEntries(entries) as JobChanges
      return entries.length === 0
        ? Promise.resolve(undefined)
        : api.call('PATCH /jobs/{id}', { params: { id: job.id }, body })
    },
    onSuccess: () => {
      toastDone(`${job.name} is changed`)
      onClose()
    },
    onError: (error) => setProblem(showFieldErrors(form, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  return (
    <Modal opened onClose={onClose} title={`Change ${job.name}`}>
      <form
        onSubmit={form.onSubmit((values) => {
          setProblem(undefined)
          save.mutate(values)
        })}
      >
        <Stack>
          <FormProblem problem={problem} />
          <Select
            label="Priority"
            data={[...priorityOptions]}
            allowDeselect={false}
            {...form.getInputProps('priority')}
          />
          <MomentInput
            label="Due"
            description="Among jobs of one priority the earliest goes first"
            {...form.getInputProps('due_date')}
          />
          <TextInput label="Filament" placeholder="Any" {...form.getInputProps('filament_type')} />
          <TextInput label="Colour" placeholder="Any" {...form.getInputProps('color')} />
          <Checkbox label="Another colour will do, too" {...form.getInputProps('any_color', { type: 'checkbox' })} />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

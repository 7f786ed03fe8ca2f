import { Checkbox, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { QueuedJob } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { MomentInput } from '../../../ui/forms/moment-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { priorityOptions } from '../job-priority.tsx'
import type { JobChanges } from '../queue/queue-move.ts'
import type { JobSubject } from '../use-job-actions.ts'

export type EditableJob = JobSubject &
  Pick<QueuedJob, 'priority' | 'due_date' | 'color' | 'any_color' | 'filament_type'>

/** Changes what a queued job asks for, and what decides its place. Only what differs is sent. */
export function EditJobDialog({ job, onClose }: { job: EditableJob; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { priority, due_date, color, any_color, filament_type } = job
  const initialValues = { priority, due_date, color, any_color, filament_type }
  const form = useForm({ initialValues })
  const save = useMutation({
    mutationFn: async (body: JobChanges) => {
      if (Object.keys(body).length > 0) await api.call('PATCH /jobs/{id}', { params: { id: job.id }, body })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => changedFields(initialValues, values),
    done: () => `${job.name} is changed`,
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={`Change ${job.name}`}>
      <form onSubmit={submit}>
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
          <FormButtons label="Save" isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

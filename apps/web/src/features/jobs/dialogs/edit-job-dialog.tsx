import { Checkbox, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { QueuedJob } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { t } from '../../../lib/i18n/t.ts'
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
    done: () => t('{name} is changed', { name: job.name }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Change {name}', { name: job.name })}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Select
            label={t('Priority')}
            data={[...priorityOptions]}
            allowDeselect={false}
            {...form.getInputProps('priority')}
          />
          <MomentInput
            label={t('Due')}
            description={t('Among jobs of one priority the earliest goes first')}
            {...form.getInputProps('due_date')}
          />
          <TextInput label={t('Filament')} placeholder={t('Any')} {...form.getInputProps('filament_type')} />
          <TextInput label={t('Colour')} placeholder={t('Any')} {...form.getInputProps('color')} />
          <Checkbox
            label={t('Another colour will do, too')}
            {...form.getInputProps('any_color', { type: 'checkbox' })}
          />
          <FormButtons label={t('Save')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

import { Group, Modal, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { type TaskType, taskTypes, typeWords } from './task-words.ts'
import { addTask, assigneesQuery } from './worklist.api.ts'

interface NewTaskFormProps {
  isOpen: boolean
  onClose: () => void
  printers: readonly { id: string; name: string }[]
}

interface FormValues {
  title: string
  task_type: TaskType
  priority: 'low' | 'medium' | 'high'
  printer_id: string | null
  assigned_to: string | null
  due_date: string
  estimated_time_minutes: number | ''
  description: string
}

const empty: FormValues = {
  title: '',
  task_type: 'maintenance',
  priority: 'medium',
  printer_id: null,
  assigned_to: null,
  due_date: '',
  estimated_time_minutes: '',
  description: '',
}

const priorities = [
  { value: 'low', label: t('Can wait') },
  { value: 'medium', label: t('Usual') },
  { value: 'high', label: t('Pressing') },
]

/** Asks for something that no one but a person knows to be needed. */
export function NewTaskForm({ isOpen, onClose, printers }: NewTaskFormProps) {
  const queryClient = useQueryClient()
  const members = useQuery({ ...assigneesQuery(), enabled: isOpen })
  const form = useForm({
    initialValues: empty,
    validate: { title: (title) => (title.trim() === '' ? t('Enter a title') : null) },
  })
  const add = useMutation({
    mutationFn: ({ title, task_type, priority, ...rest }: FormValues) =>
      addTask({
        ...{ title: title.trim(), task_type, priority },
        ...(rest.description.trim() !== '' && { description: rest.description.trim() }),
        ...(rest.printer_id !== null && { printer_id: rest.printer_id }),
        ...(rest.assigned_to !== null && { assigned_to: rest.assigned_to }),
        ...(rest.due_date !== '' && { due_date: new Date(rest.due_date).toISOString() }),
        ...(rest.estimated_time_minutes !== '' && { estimated_time_minutes: rest.estimated_time_minutes }),
      }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['worklist'] }),
  })
  const { submit, problem, setProblem } = useFormSubmit({
    form,
    mutation: add,
    body: (values) => values,
    done: ({ title }) => t('Added: {title}', { title }),
    onDone: close,
  })
  function close() {
    form.reset()
    setProblem(undefined)
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={t('New task')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormProblem problem={problem} />
          <TextInput label={t('Title')} maxLength={200} withAsterisk data-autofocus {...form.getInputProps('title')} />
          <Group grow align="flex-start">
            <Select
              label={t('Kind')}
              data={taskTypes.map((value) => ({ value, label: typeWords[value].word }))}
              allowDeselect={false}
              {...form.getInputProps('task_type')}
            />
            <Select label={t('Priority')} data={priorities} allowDeselect={false} {...form.getInputProps('priority')} />
          </Group>
          <Select
            label={t('Printer')}
            placeholder={t('No printer')}
            data={printers.map(({ id, name }) => ({ value: id, label: name }))}
            clearable
            searchable
            {...form.getInputProps('printer_id')}
          />
          <Select
            label={t('Assignee')}
            placeholder={t('Default assignee for this kind')}
            data={(members.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name }))}
            clearable
            searchable
            {...form.getInputProps('assigned_to')}
          />
          <Group grow align="flex-start">
            <TextInput label={t('Due (device time)')} type="datetime-local" {...form.getInputProps('due_date')} />
            <NumberInput label={t('Takes about (min)')} min={0} {...form.getInputProps('estimated_time_minutes')} />
          </Group>
          <Textarea
            label={t('Instructions')}
            autosize
            minRows={2}
            maxLength={2000}
            {...form.getInputProps('description')}
          />
          <FormButtons label={t('Add task')} isBusy={add.isPending} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}

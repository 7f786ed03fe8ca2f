import { Select, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf } from '../../lib/api/api-routes.ts'
import type { DefaultAssignee } from '../../lib/api/api-schema.generated.ts'
import { toastDone, toastFailed } from '../../ui/toast.tsx'
import { assignmentDefaultsQuery } from './worklist.api.ts'

type TaskType = DefaultAssignee['task_type']

const rows: readonly { type: TaskType; label: string }[] = [
  { type: 'collection', label: 'Collecting prints' },
  { type: 'filament_change', label: 'Changing filament' },
  { type: 'quality_check', label: 'Quality checks' },
  { type: 'assembly', label: 'Assembly' },
  { type: 'maintenance', label: 'Maintenance' },
  { type: null, label: 'All other tasks' },
]

interface AssignmentDefaultsFormProps {
  defaults: readonly DefaultAssignee[]
  people: readonly { user_id: string; name: string }[]
  mayChange: boolean
}

/** Who gets a new task of each kind when nobody is named. A choice counts at once. */
export function AssignmentDefaultsForm({ defaults, people, mayChange }: AssignmentDefaultsFormProps) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (body: BodyOf<'PUT /worklist/assignment-defaults'>) =>
      api.call('PUT /worklist/assignment-defaults', { body }),
    onSuccess: (saved) => queryClient.setQueryData(assignmentDefaultsQuery().queryKey, saved),
  })
  const fallback = defaults.find(({ task_type }) => task_type === null)
  const nameOf = (userId: string) => people.find(({ user_id }) => user_id === userId)?.name ?? userId

  return (
    <Stack className="form-narrow">
      {rows.map(({ type, label }) => {
        const set = defaults.find(({ task_type }) => task_type === type)
        const isGone = set !== undefined && !set.is_member
        const nobody =
          type !== null && fallback?.is_member ? `${nameOf(fallback.assigned_to)}, as all others` : 'Whoever takes it'
        const choices = people.map(({ user_id, name }) => ({ value: user_id, label: name }))
        if (isGone) choices.push({ value: set.assigned_to, label: 'Somebody who has left' })
        return (
          <Select
            key={type ?? 'others'}
            label={label}
            data={[{ value: '', label: nobody }, ...choices]}
            value={set?.assigned_to ?? ''}
            allowDeselect={false}
            searchable={people.length > 8}
            disabled={!mayChange || (change.isPending && change.variables.task_type === type)}
            error={isGone ? 'No member any more: new tasks are given to nobody' : undefined}
            onChange={(chosen) =>
              change.mutate(
                { task_type: type, assigned_to: chosen === '' ? null : chosen },
                {
                  onSuccess: () => toastDone(`${label}: ${chosen ? nameOf(chosen) : nobody}`),
                  onError: (error) => toastFailed(`${label} could not be assigned`, error),
                },
              )
            }
          />
        )
      })}
    </Stack>
  )
}

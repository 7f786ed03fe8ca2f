import { Select, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf } from '../../lib/api/api-routes.ts'
import type { DefaultAssignee } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { assignmentDefaultsQuery } from './worklist.api.ts'

type TaskType = DefaultAssignee['task_type']

const rows: readonly { type: TaskType; label: string }[] = [
  { type: 'collection', label: t('Collecting prints') },
  { type: 'filament_change', label: t('Changing filament') },
  { type: 'quality_check', label: t('Quality checks') },
  { type: 'assembly', label: t('Assembly') },
  { type: 'maintenance', label: t('Maintenance') },
  { type: null, label: t('All other tasks') },
]

interface AssignmentDefaultsProps {
  defaults: readonly DefaultAssignee[]
  people: readonly { user_id: string; name: string }[]
}

/** Who gets a new task of each kind when no one is named, for the one who may not change it. */
export function AssignmentDefaultsFacts({ defaults, people }: AssignmentDefaultsProps) {
  return (
    <Facts
      facts={rows.map(({ type, label }) => {
        const set = defaults.find(({ task_type }) => task_type === type)
        if (set === undefined) return [label, unassignedWord(type, defaults, people)]
        return [label, set.is_member ? nameIn(people, set.assigned_to) : t('Unassigned: the member has left')]
      })}
    />
  )
}

/** The same to be changed. A choice counts at once. */
export function AssignmentDefaultsForm({ defaults, people }: AssignmentDefaultsProps) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (body: BodyOf<'PUT /worklist/assignment-defaults'>) =>
      api.call('PUT /worklist/assignment-defaults', { body }),
    onSuccess: (saved) => queryClient.setQueryData(assignmentDefaultsQuery().queryKey, saved),
  })
  return (
    <Stack className="form-narrow">
      {rows.map(({ type, label }) => {
        const set = defaults.find(({ task_type }) => task_type === type)
        const isGone = set !== undefined && !set.is_member
        const unassigned = unassignedWord(type, defaults, people)
        const choices = people.map(({ user_id, name }) => ({ value: user_id, label: name }))
        if (isGone) choices.push({ value: set.assigned_to, label: t('A member who has left') })
        return (
          <Select
            key={type ?? 'others'}
            label={label}
            data={[{ value: '', label: unassigned }, ...choices]}
            value={set?.assigned_to ?? ''}
            allowDeselect={false}
            searchable={people.length > 8}
            disabled={change.isPending && change.variables.task_type === type}
            error={isGone ? t('No longer a member: new tasks stay unassigned') : undefined}
            onChange={(chosen) =>
              change.mutate(
                { task_type: type, assigned_to: chosen === '' ? null : chosen },
                {
                  onSuccess: () => toastDone(`${label}: ${chosen ? nameIn(people, chosen) : unassigned}`),
                  onError: (error) => toastFailed(t('{label} could not be assigned', { label }), error),
                },
              )
            }
          />
        )
      })}
    </Stack>
  )
}

type People = AssignmentDefaultsProps['people']

function nameIn(people: People, userId: string): string {
  return people.find(({ user_id }) => user_id === userId)?.name ?? userId
}

/** Who gets a task of this kind when it has no one of its own. */
function unassignedWord(type: TaskType, defaults: readonly DefaultAssignee[], people: People): string {
  const fallback = defaults.find(({ task_type }) => task_type === null)
  return type !== null && fallback?.is_member
    ? t('{name}, as all others', { name: nameIn(people, fallback.assigned_to) })
    : t('Unassigned')
}

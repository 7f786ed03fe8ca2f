import { SegmentedControl, Select } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { type TaskType, taskTypes, typeWords } from './task-words.ts'
import './task-filters.css'

/** As it stands in the address. */
interface TaskFilterValues {
  who?: 'me' | 'nobody' | undefined
  type?: TaskType | undefined
  location?: string | undefined
}

interface TaskFiltersProps {
  value: TaskFilterValues
  locations: readonly string[]
  onChange: (change: TaskFilterValues) => void
}

export function TaskFilters({ value, locations, onChange }: TaskFiltersProps) {
  const who = (text: string): TaskFilterValues['who'] => (text === 'me' || text === 'nobody' ? text : undefined)
  const type = (text: string | null) => taskTypes.find((each) => each === text)
  const places = [...new Set([...locations, ...(value.location === undefined ? [] : [value.location])])]
  return (
    <div className="task-filters">
      <SegmentedControl
        aria-label={t('Filter by assignee')}
        data={[
          { value: 'all', label: t('All') },
          { value: 'me', label: t('Mine') },
          { value: 'nobody', label: t('Unassigned') },
        ]}
        value={value.who ?? 'all'}
        onChange={(text) => onChange({ ...value, who: who(text) })}
      />
      <Select
        aria-label={t('Kind of task')}
        placeholder={t('All kinds')}
        data={taskTypes.map((each) => ({ value: each, label: typeWords[each].word }))}
        value={value.type ?? null}
        clearable
        onChange={(text) => onChange({ ...value, type: type(text) })}
      />
      {places.length > 0 && (
        <Select
          aria-label={t('Place')}
          placeholder={t('All places')}
          data={places}
          value={value.location ?? null}
          clearable
          onChange={(location) => onChange({ ...value, location: location ?? undefined })}
        />
      )}
    </div>
  )
}

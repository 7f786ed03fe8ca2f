import { Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { cardSizes, choicesOf, countStatuses, orders, type PrinterView } from './printer-view.ts'
import { StatusFilter } from './status-filter.tsx'

interface FilterBarProps {
  rows: readonly LivePrinter[]
  view: PrinterView
  /** Replaces what is named; undefined takes it away. */
  onChange: (change: { [Name in keyof PrinterView]: PrinterView[Name] | undefined }) => void
}

/** What is shown of all printers, and how. */
export function FilterBar({ rows, view, onChange }: FilterBarProps) {
  return (
    <Stack gap="xs" mb="sm">
      <StatusFilter counts={countStatuses(rows)} chosen={view.status} onChoose={(status) => onChange({ status })} />
      <Group gap="xs">
        <TextInput
          aria-label={t('Search printers')}
          type="search"
          placeholder={t('Name or file')}
          leftSection={<Icon name="search" size={16} />}
          value={view.search ?? ''}
          onChange={({ currentTarget }) => onChange({ search: currentTarget.value || undefined })}
          w={{ base: '100%', xs: '14rem' }}
        />
        <Select
          aria-label={t('Place')}
          placeholder={t('All places')}
          data={choicesOf(rows, 'location')}
          value={view.location ?? null}
          onChange={(value) => onChange({ location: value ?? undefined })}
          clearable
          flex={{ base: 1, xs: 'none' }}
          miw={{ base: 144, xs: 'auto' }}
          w={{ xs: '10.5rem' }}
        />
        <Select
          aria-label={t('Model')}
          placeholder={t('All models')}
          data={choicesOf(rows, 'model')}
          value={view.model ?? null}
          onChange={(value) => onChange({ model: value ?? undefined })}
          clearable
          flex={{ base: 1, xs: 'none' }}
          miw={{ base: 144, xs: 'auto' }}
          w={{ xs: '10.5rem' }}
        />
        <Select
          aria-label={t('Order')}
          data={[
            { value: 'name', label: t('By name') },
            { value: 'need', label: t('Needs a person first') },
            { value: 'left', label: t('Done next first') },
          ]}
          value={view.order ?? 'name'}
          onChange={(value) => onChange({ order: orders.find((each) => each === value) })}
          allowDeselect={false}
          flex={{ base: 1, xs: 'none' }}
          miw={{ base: 144, xs: 'auto' }}
          w={{ xs: '10.5rem' }}
        />
        <SegmentedControl
          aria-label={t('Shown as')}
          data={[
            { value: 'cards', label: t('Cards') },
            { value: 'table', label: t('Table') },
            { value: 'cameras', label: t('Cameras') },
          ]}
          value={view.as ?? 'cards'}
          onChange={(value) => onChange({ as: value === 'table' || value === 'cameras' ? value : undefined })}
        />
        {view.as === undefined && (
          <SegmentedControl
            aria-label={t('Size of cards')}
            data={[
              { value: 's', label: 'S' },
              { value: 'm', label: 'M' },
              { value: 'l', label: 'L' },
            ]}
            value={view.size ?? 'm'}
            onChange={(value) =>
              onChange({ size: value === 'm' ? undefined : cardSizes.find((each) => each === value) })
            }
          />
        )}
      </Group>
    </Stack>
  )
}

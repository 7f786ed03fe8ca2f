import { Button, Group, Text } from '@mantine/core'
import type { SpoolmanUsage } from '../../../lib/api/api-schema.generated.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useSettleUsage } from './spoolman.api.ts'

/** Usage of which a person has to say whether Spoolman has it. */
export function UsageTable({ usages }: { usages: readonly SpoolmanUsage[] }) {
  const columns: Column<SpoolmanUsage>[] = [
    {
      key: 'spool',
      label: t('Spool'),
      isTitle: true,
      cell: ({ spool_id: number }) => t('Spool {number} of Spoolman', { number: String(number) }),
    },
    { key: 'grams', label: t('Used'), align: 'right', cell: ({ grams }) => t('{grams} g', { grams }) },
    { key: 'at', label: t('Booked'), cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'why',
      label: t('Details'),
      cell: ({ state, problem }) => (
        <>
          {state === 'refused'
            ? t('Spoolman does not take it')
            : t('The answer was lost, and something else changed the spool')}
          <Text size="sm" c="dimmed">
            {serviceSentence(problem ?? '')}
          </Text>
        </>
      ),
    },
    { key: 'actions', label: t('Actions'), align: 'right', cell: (usage) => <Decision usage={usage} /> },
  ]
  return <DataTable label={t('Usage to decide on')} columns={columns} rows={usages} rowKey={({ id }) => id} />
}

function Decision({ usage: { id } }: { usage: SpoolmanUsage }) {
  const { perform, busyId } = useActions()
  const settle = useSettleUsage()
  const decide = (is_told_again: boolean) =>
    void perform({
      id,
      call: () => settle.mutateAsync({ id, is_told_again }),
      done: is_told_again ? t('The usage is reported to Spoolman again') : t('The usage counts as told'),
      failed: t('The usage could not be decided on'),
    })
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button size="xs" variant="default" loading={busyId === id} onClick={() => decide(true)}>
        {t('Report it again')}
      </Button>
      <Button size="xs" variant="default" loading={busyId === id} onClick={() => decide(false)}>
        {t('It is there')}
      </Button>
    </Group>
  )
}

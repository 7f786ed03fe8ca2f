import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UnwantedWork } from '../../lib/api/api-schema.generated.ts'
import { forAll } from '../../lib/for-all.ts'
import { t } from '../../lib/i18n/t.ts'
import { allOf } from '../../lib/words/all-of.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { cancelAssembly, cancelJob } from './production.api.ts'

interface Row {
  id: string
  isJob: boolean
  name: string
  amount: string
  created_at: string
}

function rowsOf({ jobs, assembly_tasks }: UnwantedWork): Row[] {
  return [
    ...jobs.map(({ id, sku, product_name, file_name, units, plates, created_at }) => ({
      id,
      isJob: true,
      name: sku || product_name || file_name,
      amount: t('{units, plural, one {# unit} other {# units}} on {plates, plural, one {# plate} other {# plates}}', {
        units,
        plates,
      }),
      created_at,
    })),
    ...assembly_tasks.map(({ id, sku, product_name, units, created_at }) => ({
      id,
      isJob: false,
      name: sku || product_name,
      amount: t('{units, plural, one {# unit} other {# units}} to put together', { units }),
      created_at,
    })),
  ]
}

const columns: Column<Row>[] = [
  {
    key: 'name',
    label: t('Work'),
    isTitle: true,
    cell: ({ id, name, isJob }) =>
      isJob ? (
        <LinkText to="/jobs/$jobId" params={{ jobId: id }} fw={600}>
          {name}
        </LinkText>
      ) : (
        <LinkText to="/assembly/$assemblyId" params={{ assemblyId: id }} fw={600}>
          {name}
        </LinkText>
      ),
  },
  { key: 'kind', label: t('Kind'), cell: ({ isJob }) => (isJob ? t('Queued job') : t('Assembly task')) },
  { key: 'amount', label: t('Would make'), cell: ({ amount }) => amount },
  { key: 'at', label: t('Queued'), cell: ({ created_at }) => <Time at={created_at} /> },
]

/** What is queued and wanted by nothing any more, cancelled by one button. */
export function UnwantedPanel({ unwanted, mayWrite }: { unwanted: UnwantedWork; mayWrite: boolean }) {
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const rows = rowsOf(unwanted)
  const amount = allOf([
    ...(unwanted.jobs.length > 0
      ? [t('{jobs, plural, one {# job} other {# jobs}}', { jobs: unwanted.jobs.length })]
      : []),
    ...(unwanted.assembly_tasks.length > 0
      ? [
          t('{assembly_tasks, plural, one {# assembly task} other {# assembly tasks}}', {
            assembly_tasks: unwanted.assembly_tasks.length,
          }),
        ]
      : []),
  ])

  const cancel = async () => {
    const isSure = await confirm({
      title: t('Cancel {amount}?', { amount }),
      body: t(
        'No order and no shelf needs the units that they would make. They stay in the history and can be printed again from there.',
      ),
      confirmLabel: t('Cancel all of them'),
      cancelLabel: t('Keep them'),
      isDangerous: true,
    })
    if (!isSure) return
    setBusy(true)
    const failures = await forAll(rows, ({ id, isJob }) => (isJob ? cancelJob(id) : cancelAssembly(id)))
    setBusy(false)
    for (const key of ['production', 'jobs', 'assembly']) void queryClient.invalidateQueries({ queryKey: [key] })
    const [first] = failures
    if (first === undefined) toastDone(t('{amount} cancelled', { amount }))
    else
      toastFailed(
        t('{failures} of {rows} could not be cancelled', { failures: failures.length, rows: rows.length }),
        first.error,
      )
  }
  return (
    <Panel
      title={amount}
      actions={
        mayWrite && (
          <Button
            color="red.9"
            leftSection={<Icon name="trash" size={16} />}
            loading={isBusy}
            onClick={() => void cancel()}
          >
            {t('Cancel all of them…')}
          </Button>
        )
      }
    >
      <Text size="sm" mb="sm">
        {t(
          'No order and no shelf needs the units that these would make, such as after an order was cancelled. Nothing is cancelled automatically; units that already print go on the shelf.',
        )}
      </Text>
      <DataTable label={t('Work that is not needed any more')} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </Panel>
  )
}

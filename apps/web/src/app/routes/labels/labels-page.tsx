import { Alert, Button, Group, NumberInput, Select, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type LabelItem, readLabelItems, writeLabelItems } from '../../../features/labels/label-items.ts'
import { LabelPicker } from '../../../features/labels/label-picker.tsx'
import { LabelSheet } from '../../../features/labels/label-sheet.tsx'
import { labelSizes, readLabelSize } from '../../../features/labels/label-sizes.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

const route = getRouteApi('/member/shell/labels')

const onlyHere = /^(localhost|127\.|\[::1\])/

export function LabelsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const items = readLabelItems(search.items)
  const size = readLabelSize(search.size)
  const { kind: _, search: _words, ...printed } = search
  const { perSheet } = labelSizes[size]
  const used = Math.min(Math.max(0, Math.trunc(Number(search.used ?? 0)) || 0), perSheet - 1)
  const go = (change: { items?: string; size?: string; used?: string }) =>
    void navigate({ search: { ...search, ...change }, replace: true })
  const choose = (next: readonly LabelItem[]) => go({ items: writeLabelItems(next) })

  return (
    <Stack gap="md">
      <div className="not-printed">
        <PageHeader
          title={t('Labels')}
          description={t(
            'The code on a label opens the page of its item; that of a printer opens the work to do there.',
          )}
          actions={
            <Button
              leftSection={<Icon name="label" size={18} />}
              disabled={items.length === 0}
              onClick={() => window.print()}
            >
              {t('Print')}
            </Button>
          }
        />
        <Stack gap="sm">
          {onlyHere.test(location.hostname) && items.length > 0 && (
            <Alert color="gray" icon={<Icon name="warning" />} title={t('Only this computer finds this address')}>
              {t(
                'These codes say {origin}, which a phone cannot open. Open Printyard by the name or address that phones use, and print the labels there.',
                { origin: location.origin },
              )}
            </Alert>
          )}
          <Group align="flex-end" gap="sm">
            <Select
              label={t('Size')}
              data={Object.entries(labelSizes).map(([value, { label }]) => ({ value, label }))}
              value={size}
              allowDeselect={false}
              onChange={(value) => go({ size: value ?? size })}
            />
            {perSheet > 1 && (
              <NumberInput
                label={t('Places used up')}
                min={0}
                max={perSheet - 1}
                allowDecimal={false}
                value={used}
                onChange={(value) => go({ used: String(value) })}
              />
            )}
          </Group>
        </Stack>
      </div>
      {items.length > 0 ? (
        <LabelSheet
          items={items}
          size={size}
          used={used}
          onRemove={(id) => choose(items.filter((item) => item.id !== id))}
        />
      ) : (
        <EmptyState icon="label" title={t('Nothing chosen yet')}>
          {t('Choose below what to label.')}
        </EmptyState>
      )}
      <div className="not-printed">
        <LabelPicker
          items={items}
          onChange={choose}
          choice={search}
          onChoice={(choice) => void navigate({ search: { ...printed, ...choice }, replace: true })}
        />
      </div>
    </Stack>
  )
}

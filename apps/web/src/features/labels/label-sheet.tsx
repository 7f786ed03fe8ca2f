import { useQueries } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { shortId } from '../../lib/things.ts'
import { Icon } from '../../ui/icon.tsx'
import type { LabelItem } from './label-items.ts'
import { type LabelSize, labelSizes, sheetsOf } from './label-sizes.ts'
import { type Thing, thingQuery } from './labels.api.ts'
import './label-sheet.css'

// The maker of codes is far larger than the page around it.
const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

/** The address that a label of this service says; `/s/…` opens the page of the thing. */
const labelAddress = (origin: string, id: string) => `${origin}/s/${id}`

interface LabelSheetProps {
  items: readonly LabelItem[]
  size: LabelSize
  /** Places of the first sheet that are used up. */
  used: number
  onRemove: (id: string) => void
}

/** The labels as they will be printed: one page per sheet, nothing else on it. */
export function LabelSheet({ items, size, used, onRemove }: LabelSheetProps) {
  const things = useQueries({ queries: items.map(thingQuery) })
  const labels = items.map((item, index) => ({ item, thing: things[index]?.data, error: things[index]?.error }))
  return (
    <Suspense>
      <div className="label-sheets" data-size={size}>
        {sheetsOf(labels, labelSizes[size].perSheet, used).map((places, sheet) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sheets have no name but their number
          <ul className="label-sheet" key={sheet} aria-label={t('Labels, sheet {sheet}', { sheet: sheet + 1 })}>
            {places.map((label, place) =>
              label ? (
                <Label key={label.item.id} {...label} onRemove={onRemove} />
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: an empty place is nothing but its number
                <li className="label" key={`empty ${place}`} />
              ),
            )}
          </ul>
        ))}
      </div>
    </Suspense>
  )
}

interface LabelProps {
  item: LabelItem
  thing: Thing | undefined
  error: Error | null | undefined
  onRemove: (id: string) => void
}

function Label({ item, thing, error, onRemove }: LabelProps) {
  const name = thing?.name ?? (error ? t('Not found') : '…')
  return (
    <li className="label">
      <QrCode text={labelAddress(location.origin, item.id)} label={t('Code of {name}', { name })} />
      <div className="label-text">
        <strong className="label-name">{name}</strong>
        {thing?.detail && <span className="label-detail">{thing.detail}</span>}
        <span className="label-id">{shortId(item.id)}</span>
      </div>
      <button
        type="button"
        className="label-remove"
        onClick={() => onRemove(item.id)}
        aria-label={t('Leave out {name}', { name })}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  )
}

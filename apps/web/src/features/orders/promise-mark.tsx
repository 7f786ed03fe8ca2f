import { Text } from '@mantine/core'
import type { OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import './orders.css'

type Promised = OrderSummary['promise']

/** By when an open order will be ready: marked when it leaves too late; with the reason where that is not known. */
export function PromiseMark({ promise }: { promise: Promised }) {
  if (promise === null) return '–'
  const { is_ready, is_at_risk, ready_p50_at, ready_p90_at, message } = promise
  return (
    <span className="order-marks">
      {is_at_risk && (
        <StatusBadge tone="trouble" icon="clock">
          {t('At risk')}
        </StatusBadge>
      )}
      {is_ready ? (
        <StatusBadge tone="done">{t('Ready')}</StatusBadge>
      ) : ready_p50_at === null ? (
        <Text span size="sm" c="dimmed">
          {serviceSentence(message)}
        </Text>
      ) : (
        <Time at={ready_p90_at ?? ready_p50_at} as="clock" />
      )}
    </span>
  )
}

/** The same in sentences. */
export function PromiseWords({ promise }: { promise: Promised }) {
  if (promise === null) return null
  const { is_ready, ready_p50_at, ready_p90_at, promised_at, first_promised_at, message } = promise
  if (is_ready) return <>{t('All units are on the shelf.')}</>
  if (ready_p50_at === null)
    return <>{t('The time at which it is ready is unknown. {message}.', { message: serviceSentence(message) })}</>
  return (
    <>
      <Rich text="Ready by {time} in half of all cases" values={{ time: <Time at={ready_p50_at} as="clock" /> }} />
      {ready_p90_at === null ? (
        <>. {serviceSentence(message)}.</>
      ) : (
        <Rich text=", by {time} in nine of ten." values={{ time: <Time at={ready_p90_at} as="clock" /> }} />
      )}
      {promised_at !== null && (
        <>
          <Rich text=" It leaves by {time}" values={{ time: <Time at={promised_at} as="clock" /> }} />
          {first_promised_at !== null && first_promised_at !== promised_at && (
            <Rich text="; first promised for {time}" values={{ time: <Time at={first_promised_at} as="clock" /> }} />
          )}
          .
        </>
      )}
    </>
  )
}

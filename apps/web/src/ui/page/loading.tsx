import { Skeleton, Stack } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'

const heights = Array.from({ length: 12 }, (_, index) => index)

/** The shape of a list that is on its way. */
export function LoadingRows({ rows = 5, height = 40 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" aria-busy="true" role="status" aria-label={t('Loading')}>
      {heights.slice(0, rows).map((index) => (
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </Stack>
  )
}

/** Room for a part of a page that is on its way; the page is busy until it is there. */
export function LoadingBlock({ height = 0 }: { height?: number }) {
  return height === 0 ? <div aria-busy="true" /> : <Skeleton height={height} radius="md" aria-busy="true" />
}

import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { problemText } from '../../../lib/api/api-error.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { JobPreview } from '../../../lib/api/api-schema.generated.ts'
import { thumbnailAddress } from '../../../lib/api/file-addresses.ts'
import { fileQuery } from '../../../lib/api/shared-queries.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { Picture } from '../../../ui/lists/picture.tsx'
import { Time } from '../../../ui/time.tsx'
import { jobPreviewQuery } from '../jobs.api.ts'
import { amountWords, fitWords, turnWords } from './preview-words.ts'
import './print-preview.css'

/** Typing changes the job with every key; the service is asked once it rests. */
const restMs = 250

interface PrintPreviewProps {
  fileId: string
  /** Undefined while the form does not say a whole job. */
  job: BodyOf<'POST /jobs'> | undefined
}

/** What is to be printed, and what would become of it now. All of it is what the service answers. */
export function PrintPreview({ fileId, job }: PrintPreviewProps) {
  const file = useQuery(fileQuery(fileId)).data
  const [rested] = useDebouncedValue(job && JSON.stringify(job), restMs)
  const asked: BodyOf<'POST /jobs'> | undefined = rested === undefined ? undefined : JSON.parse(rested)
  const preview = useQuery({ ...jobPreviewQuery(asked ?? { number_of_units: 1 }), enabled: asked !== undefined })
  return (
    <section className="print-preview" aria-label={t('Forecast of the job')}>
      <Picture address={file?.has_thumbnail ? thumbnailAddress(file) : undefined} icon="file" size="card" />
      <div aria-live="polite">
        {job === undefined ? null : preview.isError ? (
          <Text size="sm" c="dimmed">
            {problemText(preview.error)}
          </Text>
        ) : (
          preview.data && <PreviewLines preview={preview.data} />
        )}
      </div>
    </section>
  )
}

function PreviewLines({ preview }: { preview: JobPreview }) {
  const { product_name, sku_name, finish_p50_at } = preview
  return (
    <>
      {product_name !== null && (
        <Text fw={600}>{[product_name, sku_name].filter((name) => name !== null && name !== '').join(' · ')}</Text>
      )}
      <Text size="sm">{amountWords(preview)}</Text>
      <Text size="sm">
        <strong>{fitWords(preview)}.</strong> {turnWords(preview)}
        {finish_p50_at !== null && (
          <Rich text=" Done about {time}." values={{ time: <Time at={finish_p50_at} as="clock" /> }} />
        )}
      </Text>
    </>
  )
}

import { ActionIcon, Button, FileButton, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Product } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { ownAddress } from '../../../lib/own-address.ts'
import { useMay } from '../../../lib/session.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Sending, SentProgress } from '../../../ui/lists/sent-progress.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import type { ProductActions } from '../use-product-actions.ts'
import { followPictures } from './gallery-drag.ts'
import { moveImage } from './move-image.ts'
import './product-gallery.css'

/** As many as the service keeps of one product. */
const mostImages = 20

interface ProductGalleryProps {
  product: Product
  actions: ProductActions
}

/** The pictures of a product. The first one stands for it in lists and shops. */
export function ProductGallery({ product, actions }: ProductGalleryProps) {
  const mayWrite = useMay('write')
  const [sending, setSending] = useState<Sending>()
  const list = useRef<HTMLUListElement>(null)
  const ids = product.images.map(({ id }) => id)
  const shownOrder = ids.join()
  const place = (id: string, overId: string) => void actions.orderImages(product, moveImage(ids, id, overId))
  const onDrop = useEffectEvent(place)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pictures are followed again.
  useEffect(() => {
    if (!mayWrite || !list.current) return undefined
    return followPictures(list.current, onDrop)
  }, [mayWrite, shownOrder])

  const add = async (files: readonly File[]) => {
    let added = 0
    // One after another, so that they stand in the order in which they were chosen.
    for (const file of files) {
      const { name } = file
      setSending({ name })
      if (await actions.addImage(product, file, (sent) => setSending({ name, sent }))) added += 1
    }
    setSending(undefined)
    if (added > 0) toastDone(added === 1 ? t('The picture is added') : t('{added} pictures are added', { added }))
  }

  return (
    <Panel
      title={t('Pictures')}
      actions={
        mayWrite &&
        ids.length < mostImages && (
          <FileButton multiple accept="image/jpeg,image/png,image/webp,image/gif" onChange={(files) => void add(files)}>
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                loading={sending !== undefined}
                leftSection={<Icon name="upload" size={16} />}
              >
                {t('Add pictures')}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      <SentProgress sending={sending} />
      {ids.length === 0 ? (
        <Text c="dimmed">{t('No picture yet. JPEG, PNG, WebP or GIF, up to 5 MB each.')}</Text>
      ) : (
        <ul className="product-gallery plain-list" ref={list} aria-label={t('Pictures')}>
          {product.images.map((image, index) => (
            <li key={image.id} data-image-id={image.id}>
              <a href={ownAddress(image.url)} target="_blank" rel="noreferrer" draggable={false}>
                <img
                  src={ownAddress(image.thumb_url)}
                  alt={t('{name}, {index} of {count}', { name: product.name, index: index + 1, count: ids.length })}
                  loading="lazy"
                  draggable={false}
                />
              </a>
              {mayWrite && (
                <Group justify="space-between" gap={0} mt={4} wrap="nowrap">
                  <ActionIcon
                    aria-label={t('Move picture {index} forward', { index: index + 1 })}
                    disabled={index === 0}
                    onClick={() => place(image.id, ids[index - 1] ?? '')}
                  >
                    <Icon name="back" size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t('Move picture {index} back', { index: index + 1 })}
                    disabled={index === ids.length - 1}
                    onClick={() => place(image.id, ids[index + 1] ?? '')}
                  >
                    <Icon name="forth" size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t('Delete picture {index}', { index: index + 1 })}
                    onClick={() => void actions.removeImage(product, image.id, index + 1)}
                  >
                    <Icon name="trash" size={16} />
                  </ActionIcon>
                </Group>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

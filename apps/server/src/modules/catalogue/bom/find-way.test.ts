import { expect, test } from 'vitest'
import type { SkuId } from '../../../kernel/ids.ts'
import type { BomStep } from './bom.queries.ts'
import { findWay } from './find-way.ts'

const step = (from: string, to: string): BomStep => ({
  sku_id: from as SkuId,
  child_sku_id: to as SkuId,
  child_sku: to.toUpperCase(),
})

const codes = (steps: BomStep[], from: string, to: string) =>
  findWay(steps, from, to)?.map(({ child_sku }) => child_sku)

test('the shortest way is found, and none where there is none', () => {
  const steps = [step('a', 'b'), step('b', 'c'), step('c', 'd'), step('a', 'x'), step('x', 'd')]
  expect(codes(steps, 'a', 'd')).toEqual(['X', 'D'])
  expect(codes(steps, 'd', 'a')).toBeUndefined()
  expect(codes([], 'a', 'b')).toBeUndefined()
})

test('a graph with very many ways is walked once', () => {
  const layers = Array.from({ length: 40 }, (_, layer) =>
    ['a', 'b'].flatMap((from) => ['a', 'b'].map((to) => step(`${from}${layer}`, `${to}${layer + 1}`))),
  ).flat()
  expect(codes(layers, 'a0', 'b40')).toHaveLength(40)
  expect(codes(layers, 'a0', 'c40')).toBeUndefined()
})

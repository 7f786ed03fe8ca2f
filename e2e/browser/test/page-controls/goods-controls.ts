import { acts, type Control, manages, moreRows, type PageControls, reads, seldom } from './control.ts'

const materialTabs = reads('Spools', 'Components', 'Packaging', 'Printer parts', 'Forecast')

const materialList = (kind: MaterialKind, add: string, count: string, isSeldom?: true): Control[] => [
  ...materialTabs,
  ...reads('State'),
  moreRows,
  acts(add, `POST /materials/${kind}`),
  ...[
    acts(/^Actions for /),
    acts('Take some…', `POST /materials/${kind}/{id}/consume`),
    acts('Restock…', `POST /materials/${kind}/{id}/restock`),
    acts(count, `PATCH /materials/${kind}/{id}`),
  ].map((control) => (isSeldom ? seldom(control) : control)),
]

type MaterialKind = 'filament' | 'components' | 'packaging' | 'parts'

const productionTabs = reads('To print', 'Make to stock', 'Not needed')

/** What is made and of what: products, stock, materials, production and assembly. */
export const goodsControls: PageControls = {
  '/products': [
    {
      controls: [
        ...reads('Search', 'Category', 'State'),
        moreRows,
        acts('Add a product', 'POST /products'),
        acts('Add a kit', 'POST /products/kit'),
      ],
    },
  ],
  '/products/$productId': [
    {
      controls: [
        acts('Edit', 'PATCH /products/{id}'),
        acts('Delete', 'DELETE /products/{id}'),
        seldom(acts('Put back into use', 'PATCH /products/{id}')),
        acts('Add a SKU', 'POST /skus'),
        acts('Add a recipe', 'POST /recipes'),
        acts(/^Actions for /),
        acts('Edit…', 'PATCH /skus/{id}', 'PATCH /recipes/{id}'),
        acts(/^(Take out of|Put into) use$/, 'PATCH /skus/{id}', 'PATCH /recipes/{id}'),
        acts('Delete…', 'DELETE /skus/{id}', 'DELETE /recipes/{id}'),
        acts(/^(Make it a kit|Edit the kit)$/, 'PUT /products/{id}/kit'),
        acts('Add pictures', 'POST /products/{id}/images'),
        acts('takes files', 'POST /products/{id}/images'),
        seldom(acts('can be dragged', 'PUT /products/{id}/images/order')),
        seldom(acts(/^Move picture \d+ (forward|back)$/, 'PUT /products/{id}/images/order')),
        seldom(acts(/^Delete picture \d+$/, 'DELETE /products/{id}/images/{imageId}')),
      ],
    },
  ],
  '/skus/$skuId': [
    {
      controls: [
        acts('Put together', 'POST /skus/{id}/assemble'),
        acts('Edit', 'PATCH /skus/{id}'),
        acts('Delete', 'DELETE /skus/{id}'),
        acts('Set the shelf', 'PATCH /skus/{id}'),
        acts('Edit the bill', 'PUT /skus/{id}/bom'),
      ],
    },
  ],
  '/stock': [
    {
      controls: [
        ...reads('Search', 'Bin', 'State', 'Items', 'Short items, as CSV', 'Print bin labels'),
        moreRows,
        acts(/^Actions for /),
        acts(/^(Restock|Count|Adjust)…$/, 'POST /inventory/{id}/adjust'),
      ],
    },
  ],
  '/stock/$itemId': [
    {
      controls: [
        ...reads('Print label'),
        moreRows,
        acts('Restock', 'POST /inventory/{id}/adjust'),
        acts('Count', 'POST /inventory/{id}/adjust'),
        acts('Adjust', 'POST /inventory/{id}/adjust'),
        acts('Edit', 'PATCH /inventory/{id}'),
        acts('Take out of use', 'DELETE /inventory/{id}'),
        seldom(acts('Bring it back', 'POST /inventory')),
      ],
    },
  ],
  '/materials': [
    { controls: materialList('filament', 'Add a spool', 'Weigh…') },
    { at: '/materials?kind=components', controls: materialList('components', 'Add a component', 'Count…') },
    { at: '/materials?kind=packaging', controls: materialList('packaging', 'Add packaging', 'Count…') },
    // The farm has none of these.
    { at: '/materials?kind=parts', controls: materialList('parts', 'Add a part', 'Count…', true) },
    {
      at: '/materials?tab=forecast',
      controls: [...materialTabs, ...reads(/^(To buy|Filament|Spools on printers), as CSV$/).map(seldom)],
    },
  ],
  '/materials/$kind/$materialId': [
    {
      controls: [
        ...reads('Print label'),
        manages(/^Price of a (kilogram|piece), in [A-Z]{3}$/, 'PUT /costs/materials/{id}'),
        manages('Save the price', 'PUT /costs/materials/{id}'),
        acts('Another tag', 'POST /materials/filament/{id}/tags'),
        acts('Put it on', 'POST /materials/filament/{id}/tags'),
        seldom(acts(/^Take tag .+ off$/, 'DELETE /materials/filament/{id}/tags/{tag_id}')),
        moreRows,
        acts('Restock', 'POST /materials/filament/{id}/restock'),
        acts('Take some', 'POST /materials/filament/{id}/consume'),
        acts('Weigh', 'PATCH /materials/filament/{id}'),
        acts(/^Load( elsewhere)?$/, 'PATCH /materials/filament/{id}'),
        seldom(acts('Take off', 'PATCH /materials/filament/{id}')),
        acts('Edit', 'PATCH /materials/filament/{id}'),
        acts(
          'Delete',
          ...(['filament', 'components', 'packaging', 'parts'] as const).map(
            (kind) => `DELETE /materials/${kind}/{id}` as const,
          ),
        ),
      ],
    },
  ],
  '/production': [
    {
      controls: [
        ...productionTabs,
        ...reads('Search', 'Due', 'For', 'State'),
        moreRows,
        acts(/^Produce (all|these)$/, 'POST /production/produce'),
        acts(/^Select /, 'POST /production/produce'),
      ],
    },
    {
      at: '/production?tab=shelf',
      controls: [
        ...productionTabs,
        ...reads('Search'),
        moreRows,
        acts('Keep a SKU on the shelf', 'PATCH /skus/{id}'),
        seldom(acts(/^(Fill up from|Up to), /, 'PATCH /skus/{id}')),
        seldom(acts(/^Queue missing units of .+ automatically$/, 'PATCH /skus/{id}')),
      ],
    },
    {
      at: '/production?tab=unwanted',
      controls: [
        ...productionTabs,
        seldom(acts('Cancel all of them…', 'POST /jobs/{id}/cancel', 'PATCH /assembly/{id}')),
      ],
    },
  ],
  '/assembly': [{ controls: [...reads('State', 'Kind'), moreRows] }],
  '/assembly/$assemblyId': [
    {
      controls: [
        acts('Begin', 'PATCH /assembly/{id}'),
        acts('Cancel the task…', 'PATCH /assembly/{id}'),
        ...[/^One (fewer|more): (Put together|Rejected)$/, 'Put together', 'Rejected', /^Book \d+ units?$/].map(
          (name) => acts(name, 'POST /assembly/{id}/complete'),
        ),
      ],
    },
  ],
}

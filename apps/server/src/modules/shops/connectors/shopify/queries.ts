/** Lines of an order that come with it; the others of a large order are asked for page by page. */
const linesInOrder = 50

const line = `id name sku currentQuantity requiresShipping customAttributes { key value }
  originalUnitPriceSet { shopMoney { amount } } product { legacyResourceId } variant { legacyResourceId }`

const order = `id legacyResourceId name createdAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus
  currencyCode taxesIncluded note email phone
  currentTotalPriceSet { shopMoney { amount } } totalShippingPriceSet { shopMoney { amount } }
  currentTotalTaxSet { shopMoney { amount } } currentTotalDiscountsSet { shopMoney { amount } }
  shippingAddress { name company address1 address2 city province provinceCode zip country countryCodeV2 phone }
  billingAddress { name phone }
  lineItems(first: ${linesInOrder}) { nodes { ${line} } pageInfo { hasNextPage endCursor } }`

export const shopQuery = 'query PrintyardShop { shop { name } orders(first: 1) { nodes { id } } }'

export const ordersQuery = `query PrintyardOrders($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, sortKey: UPDATED_AT, query: $query) {
    nodes { ${order} } pageInfo { hasNextPage endCursor }
  }
}`

export const orderQuery = `query PrintyardOrder($id: ID!) { order(id: $id) { ${order} } }`

export const linesQuery = `query PrintyardLines($id: ID!, $after: String!) {
  order(id: $id) { lineItems(first: 100, after: $after) { nodes { ${line} } pageInfo { hasNextPage endCursor } } }
}`

export const fulfilmentQuery = `query PrintyardFulfilment($id: ID!) {
  order(id: $id) {
    fulfillments(first: 100) { status fulfillmentLineItems(first: 100) { nodes { quantity lineItem { id } } } }
    fulfillmentOrders(first: 50) {
      nodes {
        id status supportedActions { action } assignedLocation { location { id } }
        lineItems(first: 100) { nodes { id remainingQuantity lineItem { id } } }
      }
    }
  }
}`

export const fulfilMutation = `mutation PrintyardFulfil($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { field message } }
}`

const inventory = `id sku inventoryItem {
  id tracked inventoryLevels(first: 10) { nodes { location { id } quantities(names: ["available"]) { quantity } } }
}`

export const variantsBySkuQuery = `query PrintyardSku($query: String!) {
  productVariants(first: 10, query: $query) { nodes { ${inventory} } }
}`

export const variantQuery = `query PrintyardVariant($id: ID!) { productVariant(id: $id) { ${inventory} } }`

export const stockMutation = `mutation PrintyardStock($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) { userErrors { code field message } }
}`

// Shows the OpenAPI document that the page names. A key that is typed in stays in this page's memory.
const place = document.getElementById('try');

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // Swagger's own validator is on another host.
  validatorUrl: null,
  persistAuthorization: false,
});

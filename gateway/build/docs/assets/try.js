// Shows the OpenAPI document that the page names. A key that is typed in stays in this page's memory.
const place = document.getElementById('try');

/** Swagger UI leaves some fields without a name, and text that scrolls out of the keyboard's reach. */
function complete() {
  for (const field of place.querySelectorAll('select:not([aria-label]), textarea:not([aria-label])')) {
    field.setAttribute(
      'aria-label',
      field.closest('tr')?.dataset.paramName ?? (field.rows ? 'Body' : 'Example'),
    );
  }
  for (const text of place.querySelectorAll('.microlight:not([tabindex])')) {
    text.tabIndex = 0;
  }
}

new MutationObserver(complete).observe(place, { childList: true, subtree: true });

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // Its colors have too little contrast.
  syntaxHighlight: { activated: false },
  // Swagger's own validator is on another host.
  validatorUrl: null,
  persistAuthorization: false,
});

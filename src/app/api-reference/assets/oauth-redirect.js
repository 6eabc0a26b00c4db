// Passes the authorization response to the API reference, which opened this window.

window.opener?.postMessage(location.search, location.origin);
window.close();

// Passes the authorization response to the API reference, which opened this window and closes it.
// If the window closed itself, the API reference could notice that before the response arrives.

if (window.opener) window.opener.postMessage(location.search, location.origin);
else window.close();
